// The gRPC port: services, health checking, reflection.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/impl/codegen/service_type.h>
#include <grpcpp/server.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>

#include "server/net/tls.h"
#include "server/ops/config.h"
#include "server/ops/metrics.h"

namespace tesela::net {

/// Any thread.
class GrpcServer {
 public:
  /// Serves at once. The services and the metrics must outlive it, and so must `tls`, without which
  /// it serves without TLS. Another certificate of `tls` is presented within a second. Throws
  /// std::runtime_error with a sentence when the address cannot be used.
  GrpcServer(const ops::Endpoint& at, std::span<grpc::Service* const> services,
             ops::Metrics& metrics, const Tls* tls = nullptr);
  /// Stops without grace.
  ~GrpcServer();
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;

  /// The port, also where port 0 was asked for.
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// Reaches the services without a socket.
  [[nodiscard]] std::shared_ptr<grpc::Channel> in_process();

  /// Health checks say NOT_SERVING from now on. Calls are still answered.
  void drain();
  /// Takes no more calls, lets those under way end for `grace`, then cancels them. Blocks until the
  /// last has ended.
  void stop(std::chrono::milliseconds grace);

 private:
  void begin(const ops::Endpoint& at, std::span<grpc::Service* const> services,
             ops::Metrics& metrics, const Tls* tls);

  std::unique_ptr<grpc::Server> server_;
  std::uint16_t port_ = 0;
};

}  // namespace tesela::net
