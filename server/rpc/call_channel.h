// The way to the gRPC server for calls as coroutines, which gRPC may still be ending when their
// coroutines are gone.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/generic/generic_stub.h>

#include <memory>

namespace tesela::rpc {

/// Any thread.
class CallChannel {
 public:
  /// A call keeps it until its `grpc::ClientContext` is destroyed.
  using Hold = std::shared_ptr<const void>;

  explicit CallChannel(std::shared_ptr<grpc::Channel> channel);
  /// Waits for all holds, so not on one of gRPC's threads. A context shares the channel, and gRPC's
  /// callback threads end with the last channel: were that to go on one of them, it would join
  /// itself, free the queue that it reads, and read on.
  ~CallChannel();
  CallChannel(const CallChannel&) = delete;
  CallChannel& operator=(const CallChannel&) = delete;

  [[nodiscard]] grpc::GenericStub& stub() { return stub_; }
  [[nodiscard]] Hold hold() const { return calls_; }

 private:
  struct Calls;

  grpc::GenericStub stub_;
  std::shared_ptr<Calls> calls_;
};

}  // namespace tesela::rpc
