// gRPC: services, health checking, reflection.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/impl/codegen/service_type.h>
#include <grpcpp/server.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <span>

#include "server/base/durable_file.h"
#include "server/metrics/metrics.h"

namespace tesela::rpc {

/// Any thread.
class GrpcServer {
 public:
  /// Serves at once. The services and the metrics must outlive it. Throws std::runtime_error when
  /// gRPC cannot begin.
  GrpcServer(std::span<grpc::Service* const> services, metrics::Metrics& metrics);
  /// Stops without grace.
  ~GrpcServer();
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;

  /// Serves a client over a stream socket that does not block, until one of the two closes it.
  /// False when the server takes no more calls.
  [[nodiscard]] bool adopt(base::Descriptor socket);
  /// Reaches the services without a socket.
  [[nodiscard]] std::shared_ptr<grpc::Channel> in_process();

  /// Health checks say NOT_SERVING from now on. Calls are still answered.
  void drain();
  /// Takes no more calls, lets those under way end for `grace`, then cancels them. Blocks until the
  /// last has ended.
  void stop(std::chrono::milliseconds grace);

 private:
  void begin(std::span<grpc::Service* const> services, metrics::Metrics& metrics);

  std::unique_ptr<grpc::Server> server_;
  std::mutex adopting_;
  bool stopping_ = false;
};

}  // namespace tesela::rpc
