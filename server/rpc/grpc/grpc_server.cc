#include "server/rpc/grpc/grpc_server.h"

#include <absl/synchronization/mutex.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/server_posix.h>

#include <future>
#include <stdexcept>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/base/thread_priority.h"
#include "server/rpc/grpc/library_logs.h"
#include "server/rpc/rpc_metrics.h"

namespace tesela::rpc {

GrpcServer::GrpcServer(std::span<grpc::Service* const> services, metrics::Metrics& metrics) {
  // gRPC's threads inherit the priority of the one that begins.
  std::async(std::launch::async, [&] {
    base::step_back(limits::kGrpcNiceness);
    begin(services, metrics);
  }).get();
}

void GrpcServer::begin(std::span<grpc::Service* const> services, metrics::Metrics& metrics) {
  adopt_library_logs();
  // Debian's library looks for deadlocks at each lock, which is meant for tests.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  // Who is gone without a word does not keep its streams.
  constexpr int kPingMs = limits::kGrpcPingInterval.count();
  // Nor does who calls nothing.
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS,
                             static_cast<int>(limits::kGrpcIdleTimeMax.count()));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, limits::kGrpcCallsPerConnectionMax);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kPingMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kPingMs);
  // GrpcSession bounds how many pings come; gRPC's own way to end a connection over them costs more
  // than they do.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
  // What a connection may have under way; gRPC would let it grow to megabytes.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  // What clients are told, and what HeaderReader keeps to.
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE,
                             static_cast<int>(limits::kGrpcHeaderListBytesMax));
  builder.AddChannelArgument(GRPC_ARG_HTTP2_HPACK_TABLE_SIZE_DECODER,
                             static_cast<int>(limits::kGrpcHeaderTableBytes));
  builder.AddChannelArgument(GRPC_ARG_HTTP2_ENABLE_TRUE_BINARY, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, limits::kGrpcWindowBytes);
  for (const char* chunk : {GRPC_ARG_TCP_READ_CHUNK_SIZE, GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE}) {
    builder.AddChannelArgument(chunk, limits::kGrpcChunkBytes);
  }
  builder.SetResourceQuota(grpc::ResourceQuota{"tesela"}.Resize(limits::kGrpcBytesMax));
  builder.SetMaxReceiveMessageSize(static_cast<int>(limits::kHttpBodyBytesMax));
  for (grpc::Service* service : services) builder.RegisterService(service);
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(count_rpcs(metrics));
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  server_ = builder.BuildAndStart();
  if (!server_) throw std::runtime_error("gRPC does not begin");
}

GrpcServer::~GrpcServer() {
  stop(std::chrono::milliseconds{0});
}

std::shared_ptr<grpc::Channel> GrpcServer::in_process() {
  return server_->InProcessChannel({});
}

bool GrpcServer::adopt(base::Descriptor socket) {
  const std::scoped_lock lock(adopting_);
  if (stopping_) return false;
  grpc::AddInsecureChannelFromFd(server_.get(), socket.release());
  return true;
}

void GrpcServer::drain() {
  if (auto* health = server_->GetHealthCheckService()) health->SetServingStatus(false);
}

void GrpcServer::stop(std::chrono::milliseconds grace) {
  {
    const std::scoped_lock lock(adopting_);
    stopping_ = true;
  }
  server_->Shutdown(std::chrono::system_clock::now() + grace);
  server_->Wait();
}

}  // namespace tesela::rpc
