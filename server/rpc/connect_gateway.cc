#include "server/rpc/connect_gateway.h"

#include <google/protobuf/descriptor.pb.h>

#include <algorithm>
#include <array>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/base/loop.h"
#include "server/net/http/entity_tag.h"
#include "server/net/race.h"
#include "server/rpc/connect_error.h"
#include "server/rpc/connect_query.h"
#include "server/rpc/grpc_status.h"

namespace tesela::rpc {
namespace {

namespace asio = boost::asio;
namespace pb = google::protobuf;
using asio::awaitable;
using asio::steady_timer;
using Deadline = steady_timer::time_point;

constexpr std::string_view kAcceptPost =
    "application/json, application/proto, application/connect+json, application/connect+proto, "
    "application/grpc-web+proto";

// The last envelope of an answer, or the only one when it was refused.
std::string last_envelope(const ConnectContent& content, const grpc::Status& status) {
  if (content.grpc_web) return envelope(kEnvelopeTrailers, grpc_web_trailers(status));
  return envelope(kEnvelopeEndStream, end_stream_json(status));
}

// An error in the form that the content type calls for.
net::Response failure(const ConnectContent& content, const grpc::Status& status) {
  if (!content.streaming) return error_response(status);
  net::Response response{
      .status = net::http::status::ok, .headers = {}, .body = last_envelope(content, status)};
  response.headers.set(net::http::field::content_type, content_type(content));
  return response;
}

// The answer to a request that is too large to be read.
net::Response too_large(const ConnectContent& content, const grpc::Status& status) {
  net::Response response = failure(content, status);
  if (!content.streaming) response.status = net::http::status::payload_too_large;
  return response;
}

net::Response refuse_media_type(const pb::MethodDescriptor& method) {
  const bool streams = method.server_streaming() || method.client_streaming();
  net::Response response = net::text_response(
      net::http::status::unsupported_media_type,
      method.name() + (streams
                           ? " streams: send application/connect+json or application/connect+proto."
                           : " answers once: send application/json or application/proto."));
  response.headers.set("Accept-Post", kAcceptPost);
  return response;
}

net::Response refuse_get(const pb::MethodDescriptor& method) {
  net::Response response =
      net::text_response(net::http::status::method_not_allowed,
                         method.name() + " has side effects, or streams: call it by POST.");
  response.headers.set(net::http::field::allow, "POST, OPTIONS");
  return response;
}

net::Response refuse_charset(const ConnectContent& content) {
  net::Response response =
      failure(content, to_status({ErrorCode::kInvalidArgument,
                                  "JSON is read in UTF-8 alone: send \"charset=utf-8\" in the "
                                  "Content-Type, or no charset."}));
  response.status = net::http::status::unsupported_media_type;
  return response;
}

Expected<void> check_version(const net::Request& request) {
  const std::string_view version = request["Connect-Protocol-Version"];
  if (version.empty() || version == "1") return {};
  return refuse(ErrorCode::kInvalidArgument, "Connect-Protocol-Version must be 1.");
}

grpc::Status unknown_coding(std::string_view coding) {
  return unimplemented("The encoding \"" + std::string{coding} +
                       "\" is not known; use gzip or identity.");
}

grpc::Status too_late() {
  return deadline_exceeded("The call has not ended within the time that its headers give.");
}

// A whole number of at most so many digits, which are fewer than 19.
std::optional<std::int64_t> number_in(std::string_view text, std::size_t digits_max) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || text.size() > digits_max) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

// The time in a Grpc-Timeout, such as "10S".
std::optional<std::chrono::nanoseconds> grpc_timeout(std::string_view text) {
  using namespace std::chrono_literals;
  constexpr std::string_view kUnits = "HMSmun";
  constexpr std::array<std::chrono::nanoseconds, kUnits.size()> kTimes{1h, 1min, 1s, 1ms, 1us, 1ns};
  constexpr std::size_t kDigitsMax = 8;
  const auto unit = kUnits.find(text.back());
  const auto number = number_in(text.substr(0, text.size() - 1), kDigitsMax);
  if (unit == std::string_view::npos || !number) return std::nullopt;
  // No call lasts a year; in hours, 8 digits are more than the clock has.
  const std::chrono::nanoseconds year = 24h * 365;
  return kTimes.at(unit) > year / std::max<std::int64_t>(*number, 1) ? year
                                                                     : kTimes.at(unit) * *number;
}

// Deadline::max() when there is none.
Expected<Deadline> read_deadline(const ConnectContent& content, const net::Request& request) {
  constexpr std::size_t kDigitsMax = 10;
  const std::string_view text = request[content.grpc_web ? "Grpc-Timeout" : "Connect-Timeout-Ms"];
  if (text.empty()) return Deadline::max();
  if (content.grpc_web) {
    if (const auto time = grpc_timeout(text)) return Deadline::clock::now() + *time;
    return refuse(ErrorCode::kInvalidArgument,
                  "Grpc-Timeout must be at most 8 digits and a unit: H, M, S, m, u or n.");
  }
  if (const auto ms = number_in(text, kDigitsMax)) {
    return Deadline::clock::now() + std::chrono::milliseconds{*ms};
  }
  return refuse(ErrorCode::kInvalidArgument,
                "Connect-Timeout-Ms must be a whole number of at most 10 digits.");
}

Caller caller_of(const net::Request& request, Deadline deadline) {
  return {.token = std::string{bearer_token(request[net::http::field::authorization])},
          .address = request.sender.address,
          .quota = request.sender.quota,
          .foreign_host = request.sender.foreign_host,
          .shares_connection = request.sender.through_proxy,
          .deadline = deadline,
          .began = request.sender.began,
          .counted = request.sender.counted,
          .trace = tracing::is_on() ? tracing::sent_along(request[tracing::kHeader])
                                    : tracing::Context{}};
}

// A request that has been read.
struct Ready {
  RequestPtr message;
  Deadline deadline;
};

std::expected<Ready, grpc::Status> make_ready(const Method& method, const ConnectContent& content,
                                              const net::Request& request) {
  const std::string_view coding_header = content.grpc_web    ? "Grpc-Encoding"
                                         : content.streaming ? "Connect-Content-Encoding"
                                                             : "Content-Encoding";
  if (auto fits = check_version(request); !fits) {
    return std::unexpected(to_status(fits.error()));
  }
  const auto coding = net::read_coding(request[coding_header]);
  if (!coding) return std::unexpected(unknown_coding(request[coding_header]));
  const auto deadline = read_deadline(content, request);
  if (!deadline) return std::unexpected(to_status(deadline.error()));
  const auto body = content.streaming ? open_envelope(request.body(), *coding)
                                      : decompress(request.body(), *coding);
  if (!body) return std::unexpected(to_status(body.error()));
  auto message = read_request(*method.request, content.json, *body);
  if (!message) return std::unexpected(to_status(message.error()));
  if (*deadline <= Deadline::clock::now()) return std::unexpected(too_late());
  return Ready{std::move(*message), *deadline};
}

// Shared by a unary call and the coroutine that waits for it, which may end first.
struct Waiting {
  Waiting(const asio::any_io_executor& executor, Deadline deadline) : over(executor, deadline) {}

  steady_timer over;  // cancelled when the reply is there
  std::optional<Reply> reply;
};

// The messages of a call in envelopes, and its end in the last one.
class EnvelopeSource final : public net::ChunkSource {
 public:
  EnvelopeSource(std::unique_ptr<StreamCall> call, ConnectContent content, Deadline deadline)
      : call_(std::move(call)), content_(content), deadline_(deadline) {}

  awaitable<std::optional<std::string>> next() override {
    if (ended_) co_return std::nullopt;
    const Reply message = co_await next_message();
    const auto written =
        message && *message ? write_message(**message, content_.json) : Expected<std::string>{};
    ended_ = !message || !*message || !written;
    if (!message) co_return last_envelope(content_, message.error());
    if (!written) co_return last_envelope(content_, to_status(written.error()));
    if (ended_) co_return last_envelope(content_, grpc::Status::OK);
    co_return envelope(0, *written);
  }

 private:
  awaitable<Reply> next_message() {
    if (deadline_ == Deadline::max()) co_return co_await call_->next();
    const auto executor = co_await asio::this_coro::executor;
    steady_timer timer(executor, deadline_);
    auto over = timer.async_wait(asio::use_awaitable);
    auto message = co_await net::result_before(call_->next(), std::move(over));
    if (!message) co_return std::unexpected(too_late());
    co_return std::move(*message);
  }

  std::unique_ptr<StreamCall> call_;
  const ConnectContent content_;
  const Deadline deadline_;
  bool ended_ = false;
};

net::Response not_found(const std::string& path) {
  net::Response response = error_response(no_such_method(path));
  response.status = net::http::status::not_found;
  return response;
}

net::Response refuse_call(const net::RequestHead& head, net::http::status status,
                          const std::string& sentence) {
  const auto content = parse_content_type(head[net::http::field::content_type]);
  if (!content || status == net::http::status::method_not_allowed) {
    return net::text_response(status, sentence);
  }
  if (status == net::http::status::payload_too_large) {
    return too_large(*content, to_status({ErrorCode::kResourceExhausted, sentence}));
  }
  const auto code = status == net::http::status::too_many_requests ? ErrorCode::kResourceExhausted
                                                                   : ErrorCode::kInvalidArgument;
  return failure(*content, to_status({code, sentence}));
}

}  // namespace

void ConnectGateway::add_routes(net::HttpRouter& router, std::string_view service) {
  router.prefix("/" + std::string{service} + "/",
                {.name = "connect",
                 .verbs = {net::http::verb::post, net::http::verb::get, net::http::verb::options},
                 .handle = [this](net::Request request) { return call(std::move(request)); },
                 .refuse = refuse_call,
                 .for_pages = true});
}

void ConnectGateway::add_unknown_services(net::HttpRouter& router) {
  router.prefix("/tesela.", {.name = "connect",
                             .verbs = {net::http::verb::post},
                             .handle = [](net::Request request) -> awaitable<net::Response> {
                               co_return not_found(std::string{net::path_of(request.target())});
                             },
                             .refuse = refuse_call});
}

awaitable<net::Response> ConnectGateway::call(net::Request request) {
  const std::string path{net::path_of(request.target())};
  const Method* method = calls_.find(path);
  const pb::MethodDescriptor* declared = method ? method->descriptor : declared_method(path);
  if (declared == nullptr) co_return not_found(path);
  const auto content = parse_content_type(request[net::http::field::content_type]);
  const bool streams = declared->server_streaming() || declared->client_streaming();
  if (request.method() != net::http::verb::post) {
    if (method == nullptr || streams ||
        declared->options().idempotency_level() != pb::MethodOptions::NO_SIDE_EFFECTS) {
      co_return refuse_get(*declared);
    }
    co_return co_await call_by_get(*method, std::move(request));
  }
  if (!content || (content->streaming != streams && !content->grpc_web)) {
    co_return refuse_media_type(*declared);
  }
  if (content->json && !is_utf8(request[net::http::field::content_type])) {
    co_return refuse_charset(*content);
  }
  if (method == nullptr) {
    co_return failure(*content, unimplemented(declared->name() + " takes a stream: use gRPC."));
  }
  if (streams) co_return co_await call_stream(*method, *content, std::move(request));
  co_return co_await call_unary(*method, *content, std::move(request));
}

grpc::Status ConnectGateway::refused(const Method& method, const net::Request& request,
                                     const grpc::Status& status) {
  return calls_.refused(method, caller_of(request, Deadline::max()), status);
}

awaitable<net::Response> ConnectGateway::call_by_get(const Method& method, net::Request request) {
  const auto content = take_query(request);
  if (!content) co_return error_response(refused(method, request, to_status(content.error())));
  net::Request known{net::http::request<net::http::string_body>{request.base()}, {}};
  auto response = co_await call_unary(method, *content, std::move(request));
  response.headers.set(net::http::field::cache_control, "private, no-cache");
  response.headers.set(net::http::field::vary, "Authorization");
  const auto* body = std::get_if<std::string>(&response.body);
  if (response.status == net::http::status::ok && body != nullptr &&
      net::revalidates(known, '"' + net::digest_of(*body) + '"', response)) {
    response.headers.erase(net::http::field::content_type);
    response.body = std::string{};
  }
  co_return response;
}

awaitable<net::Response> ConnectGateway::call_unary(const Method& method, ConnectContent content,
                                                    net::Request request) {
  auto ready = make_ready(method, content, request);
  if (!ready) ready = std::unexpected(refused(method, request, ready.error()));
  // Only a compressed body can turn out to be too large here.
  if (!ready && ready.error().error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) {
    co_return too_large(content, ready.error());
  }
  if (!ready) co_return failure(content, ready.error());
  const auto executor = co_await asio::this_coro::executor;
  const auto waiting = std::make_shared<Waiting>(executor, ready->deadline);
  calls_.answer(executor, method, std::move(ready->message), caller_of(request, ready->deadline),
                [waiting](Reply reply) {
                  waiting->reply = std::move(reply);
                  waiting->over.cancel();
                });
  if (!waiting->reply) co_await waiting->over.async_wait(base::use_tuple);
  if (!waiting->reply) co_return failure(content, too_late());
  const Reply& reply = *waiting->reply;
  if (!reply) co_return failure(content, reply.error());
  auto body = write_message(**reply, content.json);
  if (!body) co_return failure(content, to_status(body.error()));
  net::Response response;
  if (content.grpc_web) body = envelope(0, *body) + last_envelope(content, grpc::Status::OK);
  response.body = std::move(*body);
  response.headers.set(net::http::field::content_type, content_type(content));
  co_return response;
}

awaitable<net::Response> ConnectGateway::call_stream(const Method& method, ConnectContent content,
                                                     net::Request request) {
  auto ready = make_ready(method, content, request);
  if (!ready) ready = std::unexpected(refused(method, request, ready.error()));
  if (!ready) co_return failure(content, ready.error());
  auto call = calls_.stream(method);
  auto caller = caller_of(request, ready->deadline);
  const auto begun = co_await call->begin(std::move(ready->message), std::move(caller));
  if (!begun.ok()) co_return failure(content, begun);
  net::Response response;
  response.headers.set(net::http::field::content_type, content_type(content));
  response.body = std::make_unique<EnvelopeSource>(std::move(call), content, ready->deadline);
  co_return response;
}

}  // namespace tesela::rpc
