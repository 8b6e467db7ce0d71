#include "server/net/grpc_server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <grpcpp/server_builder.h>

#include <future>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/net/library_logs.h"
#include "server/net/limits.h"
#include "server/net/rpc_metrics.h"
#include "server/ops/thread_priority.h"

namespace tesela::net {
namespace {

// An address and a port as gRPC writes them: IPv6 in brackets.
std::string target(const ops::Endpoint& at) {
  const bool v6 = at.address.find(':') != std::string::npos;
  return (v6 ? "[" + at.address + "]" : at.address) + ":" + std::to_string(at.port);
}

std::shared_ptr<grpc::ServerCredentials> credentials(const Tls* tls) {
  if (tls == nullptr) return grpc::InsecureServerCredentials();
  namespace unstable = grpc::experimental;  // as gRPC calls what it may still change
  const std::string pair = tls->pem_file().string();
  const auto certificate = std::make_shared<unstable::FileWatcherCertificateProvider>(
      pair, pair, limits::kCertificateLookSeconds);
  unstable::TlsServerCredentialsOptions options{certificate};
  options.watch_identity_key_cert_pairs();
  options.set_cert_request_type(GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  return unstable::TlsServerCredentials(options);
}

}  // namespace

GrpcServer::GrpcServer(const ops::Endpoint& at, std::span<grpc::Service* const> services,
                       ops::Metrics& metrics, const Tls* tls) {
  // gRPC's threads inherit the priority of the one that begins.
  std::async(std::launch::async, [&] {
    ops::step_back(limits::kGrpcNiceness);
    begin(at, services, metrics, tls);
  }).get();
}

void GrpcServer::begin(const ops::Endpoint& at, std::span<grpc::Service* const> services,
                       ops::Metrics& metrics, const Tls* tls) {
  adopt_library_logs();
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(target(at), credentials(tls), &port);
  // Without it a second server on the port would silently share the connections.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // Who is gone without a word does not keep its streams.
  constexpr int kPingMs = limits::kGrpcPingInterval.count();
  // Nor does who never finishes a handshake, or calls nothing.
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS,
                             static_cast<int>(limits::kGrpcHandshakeTimeMax.count()));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS,
                             static_cast<int>(limits::kGrpcIdleTimeMax.count()));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, limits::kGrpcCallsPerConnectionMax);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kPingMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kPingMs);
  builder.SetResourceQuota(grpc::ResourceQuota{"tesela"}.Resize(limits::kGrpcBytesMax));
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
