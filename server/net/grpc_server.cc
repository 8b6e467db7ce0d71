#include "server/net/grpc_server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/server_builder.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/net/library_logs.h"
#include "server/net/limits.h"
#include "server/net/rpc_metrics.h"

namespace tesela::net {
namespace {

// An address and a port as gRPC writes them: IPv6 in brackets.
std::string target(const ops::Endpoint& at) {
  const bool v6 = at.address.find(':') != std::string::npos;
  return (v6 ? "[" + at.address + "]" : at.address) + ":" + std::to_string(at.port);
}

}  // namespace

GrpcServer::GrpcServer(const ops::Endpoint& at, std::span<grpc::Service* const> services,
                       ops::Metrics& metrics) {
  adopt_library_logs();
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(target(at), grpc::InsecureServerCredentials(), &port);
  // Without it a second server on the port would silently share the connections.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // Who is gone without a word does not keep its streams.
  constexpr int kPingMs = limits::kGrpcPingInterval.count();
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kPingMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kPingMs);
  builder.SetMaxReceiveMessageSize(static_cast<int>(limits::kHttpBodyBytesMax));
  for (grpc::Service* service : services) builder.RegisterService(service);
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(count_rpcs(metrics));
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  server_ = builder.BuildAndStart();
  if (!server_ || port == 0) {
    throw std::runtime_error(
        "gRPC cannot listen on " + at.address + " port " + std::to_string(at.port) +
        ": the port is in use, or the address is not " + "one of this machine.");
  }
  port_ = static_cast<std::uint16_t>(port);
}

GrpcServer::~GrpcServer() {
  stop(std::chrono::milliseconds{0});
}

std::shared_ptr<grpc::Channel> GrpcServer::in_process() {
  return server_->InProcessChannel({});
}

void GrpcServer::drain() {
  if (auto* health = server_->GetHealthCheckService()) health->SetServingStatus(false);
}

void GrpcServer::stop(std::chrono::milliseconds grace) {
  server_->Shutdown(std::chrono::system_clock::now() + grace);
  server_->Wait();
}

}  // namespace tesela::net
