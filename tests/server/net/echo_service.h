// The service of echo.proto.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <atomic>

#include "echo.grpc.pb.h"

namespace tesela::test {

class EchoService final : public v1::EchoService::CallbackService {
 public:
  grpc::ServerUnaryReactor* Say(grpc::CallbackServerContext* context, const v1::SayRequest* request,
                                v1::SayResponse* response) override;
  grpc::ServerWriteReactor<v1::CountResponse>* Count(grpc::CallbackServerContext* context,
                                                     const v1::CountRequest* request) override;

  /// Calls that hang now.
  std::atomic<int> hanging{0};
  /// Messages of Count that were taken.
  std::atomic<int> written{0};
};

}  // namespace tesela::test
