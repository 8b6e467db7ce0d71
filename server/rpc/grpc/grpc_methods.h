// The methods of this process as a service of gRPC.
#pragma once

#include <grpcpp/impl/service_type.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <vector>

#include "server/base/io_pool.h"
#include "server/quota/admission_control.h"
#include "server/rpc/calls.h"

namespace tesela::rpc {

/// The caller of a call over gRPC.
[[nodiscard]] Caller caller_of(quota::AdmissionControl& admission,
                               const grpc::CallbackServerContext& context);

/// One service of the contract: its methods, which run on the contexts of a pool. Messages are read
/// and written here, not by gRPC, so that one handler serves all methods. Called by gRPC's threads.
class GrpcMethods final : public grpc::Service {
 public:
  struct Parts {
    Calls& calls;
    base::IoPool& io;
    quota::AdmissionControl& admission;
  };

  /// The methods belong to `parts.calls`.
  GrpcMethods(const std::vector<const Method*>& methods, Parts parts);

 private:
  grpc::ServerUnaryReactor* answer(const Method& method, grpc::CallbackServerContext& context,
                                   const grpc::ByteBuffer& request, grpc::ByteBuffer& response);
  grpc::ServerWriteReactor<grpc::ByteBuffer>* stream(const Method& method,
                                                     grpc::CallbackServerContext& context,
                                                     const grpc::ByteBuffer& request);

  Parts parts_;
};

}  // namespace tesela::rpc
