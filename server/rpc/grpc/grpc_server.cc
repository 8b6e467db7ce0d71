#include "server/rpc/grpc/grpc_server.h"

#include <absl/synchronization/mutex.h>
#include <google/protobuf/message.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/server_posix.h>
#include <grpcpp/support/server_interceptor.h>

#include <algorithm>
#include <array>
#include <future>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grpc/health/v1/health.pb.h"
#include "server/base/limits.h"
#include "server/base/threads/thread_name.h"
#include "server/base/threads/thread_priority.h"
#include "server/rpc/connect_error.h"
#include "server/rpc/grpc_status.h"

namespace tesela::rpc {
namespace {

using grpc::experimental::InterceptionHookPoints;

// gRPC's library answers these without a .proto in the program.
constexpr std::array<std::string_view, 2> kHealthPaths{"/grpc.health.v1.Health/Check",
                                                       "/grpc.health.v1.Health/Watch"};

// What a call is counted as: "unknown" when there is no such method, so that there are no more
// names than methods, whatever clients send.
std::string label_of(std::string_view path) {
  const bool known = std::ranges::find(kHealthPaths, path) != kHealthPaths.end() ||
                     declared_method(path) != nullptr;
  return known ? std::string{path} : "unknown";
}

class Counter final : public grpc::experimental::Interceptor {
 public:
  Counter(metrics::Metrics& metrics, std::string_view path)
      : metrics_(metrics), method_(label_of(path)) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_STATUS)) {
      const grpc::StatusCode code = methods->GetSendStatus().error_code();
      metrics_.rpcs(method_, connect_code(code)).Increment();
    }
    methods->Proceed();
  }

 private:
  metrics::Metrics& metrics_;
  const std::string method_;
};

// Counts the calls that do not go through Calls: health checks, reflection, streams of requests,
// and methods that do not exist.
class Counters final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  explicit Counters(const GrpcServer::Parts& parts)
      : calls_(parts.calls.calls), metrics_(parts.metrics) {}

  grpc::experimental::Interceptor* CreateServerInterceptor(
      grpc::experimental::ServerRpcInfo* info) override {
    if (calls_.find(info->method()) != nullptr) return nullptr;
    return std::make_unique<Counter>(metrics_, info->method()).release();
  }

 private:
  const Calls& calls_;
  metrics::Metrics& metrics_;
};

// The methods of each service. Reflection lists services, so each is registered by itself.
std::vector<std::unique_ptr<GrpcMethods>> services_of(const GrpcMethods::Parts& parts) {
  std::map<const google::protobuf::ServiceDescriptor*, std::vector<const Method*>> methods;
  for (const auto& [path, method] : parts.calls.methods()) {
    methods[method.descriptor->service()].push_back(&method);
  }
  std::vector<std::unique_ptr<GrpcMethods>> services;
  services.reserve(methods.size());
  for (const auto& [descriptor, of_service] : methods) {
    services.push_back(std::make_unique<GrpcMethods>(of_service, parts));
  }
  return services;
}

}  // namespace

// The library's own refusal is without a sentence.
grpc::ServerGenericBidiReactor* UnknownMethods::CreateReactor(
    grpc::GenericCallbackServerContext* context) {
  class Refusal final : public grpc::ServerGenericBidiReactor {
   public:
    explicit Refusal(grpc::Status status) { Finish(std::move(status)); }
    void OnDone() override { const std::unique_ptr<Refusal> last{this}; }
  };
  return std::make_unique<Refusal>(no_such_method(context->method())).release();
}

GrpcServer::GrpcServer(Parts parts) : services_(services_of(parts.calls)) {
  // gRPC's threads inherit the priority of the one that begins, and some of them its name.
  std::async(std::launch::async, [&] {
    base::name_thread("grpc");
    base::lower_priority(limits::kGrpcNiceness);
    begin(parts);
  }).get();
}

void GrpcServer::begin(const Parts& parts) {
  // Debian's library looks for deadlocks at each lock, which is meant for tests.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  // The library announces its health check, and does not describe it.
  google::protobuf::LinkMessageReflection<grpc::health::v1::HealthCheckRequest>();
  grpc::ServerBuilder builder;
  // A client that is gone silently does not keep its streams.
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
  // The bytes that a connection may have under way; gRPC would let them grow to megabytes.
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
  for (const auto& service : services_) builder.RegisterService(service.get());
  for (const NamedService& each : parts.services) builder.RegisterService(each.service);
  builder.RegisterCallbackGenericService(&unknown_);
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(std::make_unique<Counters>(parts));
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  server_ = builder.BuildAndStart();
  if (!server_) throw std::runtime_error("gRPC does not begin");
  auto& health = *server_->GetHealthCheckService();
  for (const NamedService& each : parts.services) {
    health.SetServingStatus(std::string(each.name), true);
  }
  for (const auto& [path, method] : parts.calls.calls.methods()) {
    health.SetServingStatus(method.descriptor->service()->full_name(), true);
  }
}

GrpcServer::~GrpcServer() {
  stop(std::chrono::milliseconds{0});
}

bool GrpcServer::adopt(base::Descriptor socket) {
  const std::scoped_lock lock(adopting_);
  if (stopping_) return false;
  grpc::AddInsecureChannelFromFd(server_.get(), socket.release());
  return true;
}

void GrpcServer::drain() {
  server_->GetHealthCheckService()->SetServingStatus(false);
}

void GrpcServer::undrain() {
  server_->GetHealthCheckService()->SetServingStatus(true);
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
