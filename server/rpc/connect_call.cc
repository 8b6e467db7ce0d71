#include "server/rpc/connect_call.h"

#include <grpcpp/support/client_callback.h>
#include <grpcpp/support/slice.h>

#include <utility>
#include <vector>

#include "server/rpc/await_callback.h"
#include "server/rpc/connect_metadata.h"

namespace tesela::rpc {
namespace {

using boost::asio::awaitable;
using Done = std::function<void()>;

grpc::ByteBuffer to_buffer(std::string bytes) {
  const grpc::Slice slice{bytes};
  return {&slice, 1};
}

std::string to_bytes(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (!buffer.Dump(&slices).ok()) return bytes;
  bytes.reserve(buffer.Length());
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

// Shared with gRPC, whose thread may let go of it after the coroutine.
struct UnaryCall {
  CallChannel::Hold hold;  // first: it goes last
  grpc::ClientContext context;
  grpc::ByteBuffer request;
  grpc::ByteBuffer response;
  grpc::Status status;
};

}  // namespace

awaitable<UnaryOutcome> call_unary(CallChannel& channel, std::string method, std::string request,
                                   PrepareCall prepare) {
  const auto call = std::make_shared<UnaryCall>();
  call->hold = channel.hold();
  call->request = to_buffer(std::move(request));
  prepare(call->context);
  std::function<void(Done)> begin = [call, &channel, &method](Done done) {
    channel.stub().UnaryCall(&call->context, method, {}, &call->request, &call->response,
                             [call, done = std::move(done)](grpc::Status status) {
                               call->status = std::move(status);
                               done();
                             });
  };
  Done cancel = [call] { call->context.TryCancel(); };
  co_await await_callback(std::move(begin), std::move(cancel));
  co_return UnaryOutcome{.status = call->status,
                         .response = to_bytes(call->response),
                         .headers = received_metadata(call->context.GetServerInitialMetadata()),
                         .trailers = received_metadata(call->context.GetServerTrailingMetadata())};
}

// Waits for one thing at a time: the headers, a message, or the end. A hold keeps the call from
// ending between two reads, so that a read can be started from outside.
class StreamCall::Reactor final
    : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  Reactor(CallChannel& channel, std::string method, std::string request, const PrepareCall& prepare)
      : hold_(channel.hold()),
        stub_(channel.stub()),
        method_(std::move(method)),
        request_(to_buffer(std::move(request))) {
    prepare(context_);
  }

  void begin(std::shared_ptr<Reactor> self, Done headers_came) {
    self_ = std::move(self);
    done_ = std::move(headers_came);
    started_ = true;
    stub_.PrepareBidiStreamingCall(&context_, method_, {}, this);
    AddHold();
    StartWriteLast(&request_, {});
    StartCall();
  }

  void begin_read(Done done) {
    done_ = std::move(done);
    StartRead(&response_);
  }

  void cancel() { context_.TryCancel(); }

  // The caller is gone: nobody waits for the end any more.
  void abandon() {
    if (!started_ || ended_) return;
    context_.TryCancel();
    RemoveHold();
  }

  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] std::string response() const { return to_bytes(response_); }
  [[nodiscard]] const grpc::Status& status() const { return status_; }
  [[nodiscard]] const grpc::ClientContext& context() const { return context_; }

  void OnReadInitialMetadataDone(bool /*ok*/) override { resume(); }

  void OnReadDone(bool ok) override {
    if (ok) {
      resume();
      return;
    }
    ended_ = true;
    RemoveHold();
  }

  void OnDone(const grpc::Status& status) override {
    status_ = status;
    if (ended_) resume();
    self_.reset();
  }

 private:
  void resume() {
    const Done done = std::move(done_);
    done();
  }

  const CallChannel::Hold hold_;  // first: it goes last
  grpc::GenericStub& stub_;
  const std::string method_;
  grpc::ClientContext context_;
  grpc::ByteBuffer request_;
  grpc::ByteBuffer response_;
  grpc::Status status_;
  Done done_;
  std::shared_ptr<Reactor> self_;  // until gRPC has done with it
  bool started_ = false;
  bool ended_ = false;
};

StreamCall::StreamCall(CallChannel& channel, std::string method, std::string request,
                       const PrepareCall& prepare)
    : reactor_(std::make_shared<Reactor>(channel, std::move(method), std::move(request), prepare)) {
}

StreamCall::~StreamCall() {
  reactor_->abandon();
}

awaitable<Metadata> StreamCall::headers() {
  const auto reactor = reactor_;
  std::function<void(Done)> begin = [reactor](Done done) {
    reactor->begin(reactor, std::move(done));
  };
  Done cancel = [reactor] { reactor->cancel(); };
  co_await await_callback(std::move(begin), std::move(cancel));
  co_return received_metadata(reactor->context().GetServerInitialMetadata());
}

awaitable<std::optional<std::string>> StreamCall::next() {
  const auto reactor = reactor_;
  std::function<void(Done)> begin = [reactor](Done done) { reactor->begin_read(std::move(done)); };
  Done cancel = [reactor] { reactor->cancel(); };
  co_await await_callback(std::move(begin), std::move(cancel));
  if (reactor->ended()) co_return std::nullopt;
  co_return reactor->response();
}

const grpc::Status& StreamCall::status() const {
  return reactor_->status();
}

Metadata StreamCall::trailers() const {
  return received_metadata(reactor_->context().GetServerTrailingMetadata());
}

}  // namespace tesela::rpc
