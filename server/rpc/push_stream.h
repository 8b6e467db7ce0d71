// What a server sends in a call of gRPC when its messages come from any thread, at any time.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/core/result.h"
#include "server/quota/admission_control.h"
#include "server/rpc/client_address.h"
#include "server/rpc/grpc_status.h"

namespace tesela::rpc {

/// A call; what it sends is up to `take`. It owns itself from `start` or `refuse` until gRPC has
/// done with it. Public functions from any thread. gRPC is called on one context's thread alone
/// and never under a lock: it may call back from inside.
template <class Response, class Reactor = grpc::ServerWriteReactor<Response>>
class PushStream : public Reactor,
                   public std::enable_shared_from_this<PushStream<Response, Reactor>> {
 public:
  /// May be shared by many calls.
  using Message = std::shared_ptr<const Response>;

  explicit PushStream(boost::asio::io_context& context) : context_(context) {}

  /// Keeps the caller's slots until the call has ended. Before it begins.
  void hold(quota::Slot slot) { slots_.connection = std::move(slot); }
  void hold(CallSlots slots) { slots_ = std::move(slots); }

  /// Lets the call begin.
  void start() {
    self_ = this->shared_from_this();
    this->StartSendInitialMetadata();
  }

  /// Ends a call that does not even begin.
  void refuse(const Error& error) {
    self_ = this->shared_from_this();
    end(to_status(error));
  }

  /// Ends the call without what waits to be sent. The first end counts.
  void end(grpc::Status status) {
    {
      const std::lock_guard lock{mutex_};
      set_ending(std::move(status));
    }
    schedule();
  }

  void OnSendInitialMetadataDone(bool /*ok*/) override {}

  void OnWriteDone(bool ok) override {
    if (!ok) return end(grpc::Status::CANCELLED);
    {
      const std::lock_guard lock{mutex_};
      writing_ = false;
    }
    schedule();
  }

  void OnCancel() override { end(grpc::Status::CANCELLED); }

  void OnDone() override {
    done();
    self_.reset();
  }

 protected:
  /// The next message; null when there is none now. Called under `mutex_`.
  virtual Message take() = 0;
  /// gRPC has done with the call.
  virtual void done() = 0;

  /// Looks soon whether there is something to send.
  void schedule() {
    boost::asio::post(context_, [self = this->shared_from_this()] { self->go_on(); });
  }

  /// As `end`; needs `mutex_`, and a `schedule` after it.
  void set_ending(grpc::Status status) {
    if (!ending_) ending_ = std::move(status);
  }
  /// Ends the call when there is nothing more to send; needs the same.
  void set_last() { last_ = true; }
  [[nodiscard]] bool ending() const { return ending_ || last_; }

  boost::asio::io_context& context_;
  std::mutex mutex_;  // guards what subclasses send, and what follows

 private:
  void go_on() {
    std::optional<grpc::Status> end;
    {
      const std::lock_guard lock{mutex_};
      if (finished_ || (writing_ && !ending_)) return;
      if (!ending_) current_ = take();
      if (!ending_ && !current_ && last_) ending_ = grpc::Status::OK;
      if (!ending_ && !current_) return;
      finished_ = ending_.has_value();
      writing_ = !finished_;
      end = ending_;
    }
    if (end) {
      this->Finish(*end);
    } else {
      this->StartWrite(current_.get());
    }
  }

  std::optional<grpc::Status> ending_;
  bool last_ = false;
  bool writing_ = false;
  bool finished_ = false;
  Message current_;  // is being written
  CallSlots slots_;
  std::shared_ptr<PushStream> self_;  // until gRPC has done with it
};

}  // namespace tesela::rpc
