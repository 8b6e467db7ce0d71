#include "server/rpc/grpc/grpc_methods.h"

#include <spdlog/spdlog.h>

#include <grpc/support/time.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/impl/codegen/server_callback_handlers.h>
#include <grpcpp/impl/rpc_service_method.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <charconv>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/wake.h"
#include "server/rpc/grpc_status.h"

namespace tesela::rpc {
namespace {

namespace asio = boost::asio;
namespace pb = google::protobuf;
using asio::awaitable;
using grpc::internal::RpcMethod;
using grpc::internal::RpcServiceMethod;

// All fields of a name are joined to one list (net::join_lines); other values cannot be read then.
std::string metadata(const grpc::CallbackServerContext& context, grpc::string_ref name) {
  std::string all;
  auto [at, end] = context.client_metadata().equal_range(name);
  for (; at != end; ++at) {
    if (!all.empty()) all += ", ";
    all.append(at->second.data(), at->second.size());
  }
  return all;
}

// gRPC writes fd:12 for a connection that it was given.
std::optional<int> descriptor_of(std::string_view peer) {
  constexpr std::string_view kBegin = "fd:";
  int descriptor{};
  if (!peer.starts_with(kBegin)) return std::nullopt;
  const auto [end, error] =
      std::from_chars(peer.data() + kBegin.size(), peer.data() + peer.size(), descriptor);
  return error == std::errc{} ? std::optional{descriptor} : std::nullopt;
}

// The deadline of the call on the clock that measures time here. A client may name one that is too
// far away for the clocks of the standard library.
std::chrono::steady_clock::time_point deadline_of(const grpc::CallbackServerContext& context) {
  using std::chrono::steady_clock;
  constexpr std::chrono::seconds kFarAway{std::chrono::hours{24}};
  const gpr_timespec deadline = context.raw_deadline();
  const gpr_timespec left = gpr_time_sub(deadline, gpr_now(deadline.clock_type));
  if (left.tv_sec > kFarAway.count()) return steady_clock::time_point::max();
  return steady_clock::now() + std::chrono::seconds{left.tv_sec} +
         std::chrono::nanoseconds{left.tv_nsec};
}

// Null when it cannot be read.
RequestPtr from_bytes(const Method& method, const grpc::ByteBuffer& bytes) {
  if (!bytes.Valid()) return nullptr;
  RequestPtr request{method.request->New()};
  grpc::ByteBuffer shared{bytes};
  const auto read =
      grpc::GenericDeserialize<grpc::ProtoBufferReader, pb::Message>(&shared, request.get());
  return read.ok() ? std::move(request) : nullptr;
}

grpc::Status to_bytes(const pb::Message& message, grpc::ByteBuffer& bytes) {
  bool own = false;
  return grpc::GenericSerialize<grpc::ProtoBufferWriter, pb::Message>(message, &bytes, &own);
}

grpc::Status cannot_be_read(const Method& method) {
  return to_status({ErrorCode::kInvalidArgument,
                    "The message is not what " + method.path + " takes, in protobuf."});
}

// A call of a streaming method: a coroutine on one context that reads the stream and writes to
// gRPC. It owns itself until gRPC has done with it.
class Writing final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                      public std::enable_shared_from_this<Writing> {
 public:
  Writing(asio::io_context& context, std::unique_ptr<StreamCall> call)
      : context_(context), call_(std::move(call)), taken_(context.get_executor()) {}

  void start(RequestPtr request, Caller caller) {
    self_ = shared_from_this();
    auto ended = [self = shared_from_this()](const std::exception_ptr& /*never*/) {};
    asio::co_spawn(context_, run(std::move(request), std::move(caller)),
                   asio::bind_cancellation_slot(cancel_.slot(), std::move(ended)));
  }

  void OnWriteDone(bool ok) override {
    state_ = ok ? Write::kTaken : Write::kFailed;
    taken_.notify();
  }

  void OnCancel() override {
    asio::post(context_, [self = shared_from_this()] {
      self->cancel_.emit(asio::cancellation_type::terminal);
    });
  }

  void OnDone() override { self_.reset(); }

 private:
  enum class Write { kUnderWay, kTaken, kFailed };

  awaitable<void> run(RequestPtr request, Caller caller) {
    grpc::Status status = grpc::Status::CANCELLED;
    try {
      status = co_await send_all(std::move(request), std::move(caller));
    } catch (const boost::system::system_error& error) {
      spdlog::debug("a stream ended between two of its steps: {}", error.what());
    }
    call_.reset();  // who hears of the end finds its slots free
    Finish(status);
  }

  awaitable<grpc::Status> send_all(RequestPtr request, Caller caller) {
    grpc::Status begun = co_await call_->begin(std::move(request), std::move(caller));
    if (!begun.ok()) co_return begun;
    StartSendInitialMetadata();
    for (;;) {
      const Reply message = co_await call_->next();
      if (!message) co_return message.error();
      if (!*message) co_return grpc::Status::OK;
      if (auto written = to_bytes(**message, bytes_); !written.ok()) co_return written;
      state_ = Write::kUnderWay;
      StartWrite(&bytes_);
      while (state_ == Write::kUnderWay) co_await taken_.wait();
      if (state_ == Write::kFailed) co_return grpc::Status::CANCELLED;
      bytes_.Clear();
    }
  }

  asio::io_context& context_;
  std::unique_ptr<StreamCall> call_;
  asio::cancellation_signal cancel_;
  grpc::ByteBuffer bytes_;
  std::atomic<Write> state_{Write::kUnderWay};
  base::Wake taken_;
  std::shared_ptr<Writing> self_;
};

// A call that ends before it begins.
class Refused final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  explicit Refused(grpc::Status status) { Finish(std::move(status)); }
  void OnDone() override { const std::unique_ptr<Refused> last{this}; }
};

}  // namespace

Caller caller_of(quota::AdmissionControl& admission, const grpc::CallbackServerContext& context) {
  Caller caller{.token = std::string{bearer_token(metadata(context, "authorization"))},
                .over_grpc = true,
                .shares_connection = true,
                .deadline = deadline_of(context)};
  if (tracing::is_on()) {
    caller.trace =
        tracing::sent_along(metadata(context, {tracing::kHeader.data(), tracing::kHeader.size()}));
  }
  const grpc::string_ref host = context.ExperimentalGetAuthority();
  caller.foreign_host = !admission.hosts().own({host.data(), host.size()});
  const auto descriptor = descriptor_of(context.peer());
  const auto peer = descriptor ? admission.introduced(*descriptor) : std::nullopt;
  if (peer) {
    caller.address = admission.client(*peer, metadata(context, "x-forwarded-for"));
    caller.quota = admission.address(*caller.address, !caller.foreign_host);
  }
  return caller;
}

GrpcMethods::GrpcMethods(const std::vector<const Method*>& methods, Parts parts) : parts_(parts) {
  using grpc::ByteBuffer;
  using Context = grpc::CallbackServerContext;
  int index = 0;
  for (const Method* method : methods) {
    const bool streams = method->open != nullptr;
    AddMethod(std::make_unique<RpcServiceMethod>(
                  method->path.c_str(),
                  streams ? RpcMethod::SERVER_STREAMING : RpcMethod::NORMAL_RPC, nullptr)
                  .release());
    std::unique_ptr<grpc::internal::MethodHandler> handler;
    if (streams) {
      handler =
          std::make_unique<grpc::internal::CallbackServerStreamingHandler<ByteBuffer, ByteBuffer>>(
              [this, method](Context* context, const ByteBuffer* request) {
                return stream(*method, *context, *request);
              });
    } else {
      handler = std::make_unique<grpc::internal::CallbackUnaryHandler<ByteBuffer, ByteBuffer>>(
          [this, method](Context* context, const ByteBuffer* request, ByteBuffer* response) {
            return answer(*method, *context, *request, *response);
          });
    }
    MarkMethodRawCallback(index++, handler.release());
  }
}

grpc::ServerUnaryReactor* GrpcMethods::answer(const Method& method,
                                              grpc::CallbackServerContext& context,
                                              const grpc::ByteBuffer& request,
                                              grpc::ByteBuffer& response) {
  grpc::ServerUnaryReactor* reactor = context.DefaultReactor();
  RequestPtr message = from_bytes(method, request);
  if (!message) {
    const Caller caller = caller_of(parts_.admission, context);
    reactor->Finish(parts_.calls.refused(method, caller, cannot_be_read(method)));
    return reactor;
  }
  parts_.calls.answer(parts_.io.any().get_executor(), method, std::move(message),
                      caller_of(parts_.admission, context), [reactor, &response](Reply reply) {
                        reactor->Finish(reply ? to_bytes(**reply, response) : reply.error());
                      });
  return reactor;
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* GrpcMethods::stream(
    const Method& method, grpc::CallbackServerContext& context, const grpc::ByteBuffer& request) {
  RequestPtr message = from_bytes(method, request);
  if (!message) {
    const Caller caller = caller_of(parts_.admission, context);
    return std::make_unique<Refused>(parts_.calls.refused(method, caller, cannot_be_read(method)))
        .release();
  }
  const auto writing = std::make_shared<Writing>(parts_.io.any(), parts_.calls.stream(method));
  writing->start(std::move(message), caller_of(parts_.admission, context));
  return writing.get();
}

}  // namespace tesela::rpc
