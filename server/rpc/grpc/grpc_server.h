// gRPC: services, health checking, reflection.
#pragma once

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/impl/service_type.h>
#include <grpcpp/server.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "server/base/durable_file.h"
#include "server/metrics/metrics.h"
#include "server/rpc/grpc/grpc_methods.h"

namespace tesela::rpc {

/// Refuses the calls of methods that there are not.
class UnknownMethods final : public grpc::CallbackGenericService {
 public:
  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override;
};

/// Any thread.
class GrpcServer {
 public:
  /// What it uses, which must outlive it.
  struct NamedService {
    std::string_view name;  // in full; lives as long as the server
    grpc::Service* service;
  };
  struct Parts {
    GrpcMethods::Parts calls;  // all of whose methods are served
    metrics::Metrics& metrics;
    std::vector<NamedService> services{};  // those whose methods take streams
  };

  /// Serves at once. Throws std::runtime_error when gRPC cannot begin.
  explicit GrpcServer(Parts parts);
  /// Stops without grace.
  ~GrpcServer();
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;

  /// Serves a client over a stream socket that does not block, until one of the two closes it.
  /// False when the server takes no more calls.
  [[nodiscard]] bool adopt(base::Descriptor socket);

  /// Health checks say NOT_SERVING from now on. Calls are still answered.
  void drain();
  /// And SERVING again.
  void undrain();
  /// Takes no more calls, lets those under way end for `grace`, then cancels them. Blocks until the
  /// last has ended.
  void stop(std::chrono::milliseconds grace);

 private:
  void begin(const Parts& parts);

  std::vector<std::unique_ptr<GrpcMethods>> services_;
  UnknownMethods unknown_;
  std::unique_ptr<grpc::Server> server_;
  std::mutex adopting_;
  bool stopping_ = false;
};

}  // namespace tesela::rpc
