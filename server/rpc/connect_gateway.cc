#include "server/rpc/connect_gateway.h"

#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include "server/net/http/cors.h"
#include "server/rpc/connect_call.h"
#include "server/rpc/connect_error.h"
#include "server/rpc/connect_metadata.h"
#include "server/rpc/grpc_status.h"
#include "server/rpc/rpc_methods.h"

namespace tesela::rpc {
namespace {

namespace pb = google::protobuf;
using boost::asio::awaitable;

constexpr std::string_view kAcceptPost =
    "application/json, application/proto, application/connect+json, application/connect+proto";

/// What a stream says when it ends, or never began.
std::string last_envelope(const grpc::Status& status, const Metadata& trailers) {
  return envelope(kEnvelopeEndStream, end_stream_json(status, trailers));
}

// An error in the form that the content type calls for.
net::Response failure(const ConnectContent& content, const grpc::Status& status) {
  if (!content.streaming) return error_response(status);
  net::Response response{
      .status = net::http::status::ok, .headers = {}, .body = last_envelope(status, {})};
  response.headers.set(net::http::field::content_type, content_type(content));
  return response;
}

// To a request of which nothing but its size was looked at.
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

grpc::Status invalid(const std::string& sentence) {
  return {grpc::StatusCode::INVALID_ARGUMENT, sentence};
}

// The headers of the protocol itself: what they ask for must be possible.
grpc::Status check_protocol(const net::Request& request, std::string_view coding_header) {
  const std::string_view version = request["Connect-Protocol-Version"];
  if (!version.empty() && version != "1") {
    return invalid("Connect-Protocol-Version must be 1.");
  }
  if (const std::string_view coding = request[coding_header]; !is_known_coding(coding)) {
    return {grpc::StatusCode::UNIMPLEMENTED,
            "The encoding \"" + std::string{coding} + "\" is not known; use gzip or identity."};
  }
  return {};
}

// Empty for no time-out.
Expected<std::optional<std::chrono::milliseconds>> read_timeout(const net::Request& request) {
  constexpr std::size_t kDigitsMax = 10;
  const std::string_view text = request["Connect-Timeout-Ms"];
  if (text.empty()) return std::nullopt;
  std::uint64_t ms = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ms);
  if (error != std::errc{} || end != text.data() + text.size() || text.size() > kDigitsMax) {
    return refuse(ErrorCode::kInvalidArgument,
                  "Connect-Timeout-Ms must be a whole number of at most 10 digits.");
  }
  return std::chrono::milliseconds{ms};
}

PrepareCall prepare_call(const net::Request& request,
                         std::optional<std::chrono::milliseconds> timeout) {
  return [&request, timeout](grpc::ClientContext& context) {
    send_metadata(request, context);
    if (timeout) context.set_deadline(std::chrono::system_clock::now() + *timeout);
  };
}

// What a call needs, or how it is refused.
struct Ready {
  std::string message;
  std::optional<std::chrono::milliseconds> timeout;
};

std::expected<Ready, grpc::Status> make_ready(const pb::MethodDescriptor& method,
                                              const ConnectContent& content,
                                              const net::Request& request) {
  const std::string_view coding_header =
      content.streaming ? "Connect-Content-Encoding" : "Content-Encoding";
  if (grpc::Status status = check_protocol(request, coding_header); !status.ok()) {
    return std::unexpected(std::move(status));
  }
  const auto timeout = read_timeout(request);
  if (!timeout) return std::unexpected(to_status(timeout.error()));
  if (*timeout && (*timeout)->count() == 0) {
    // In process a quick method would win the race against its deadline.
    return std::unexpected(
        grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "The deadline has passed."));
  }
  const auto body = content.streaming ? open_envelope(request.body(), request[coding_header])
                                      : decompress(request.body(), request[coding_header]);
  if (!body) return std::unexpected(to_status(body.error()));
  auto message = to_proto(*method.input_type(), content.json, *body);
  if (!message) return std::unexpected(to_status(message.error()));
  return Ready{std::move(*message), *timeout};
}

void add_metadata(const Metadata& metadata, std::string_view prefix, net::http::fields& headers) {
  for (const auto& [name, value] : metadata) headers.insert(std::string{prefix} + name, value);
}

// The messages of a call in envelopes, and its end in the last one.
class EnvelopeSource final : public net::ChunkSource {
 public:
  EnvelopeSource(std::unique_ptr<StreamCall> call, const pb::Descriptor& type, bool json)
      : call_(std::move(call)), type_(type), json_(json) {}

  awaitable<std::optional<std::string>> next() override {
    if (ended_) co_return std::nullopt;
    auto message = co_await call_->next();
    if (!message) {
      ended_ = true;
      co_return last_envelope(call_->status(), call_->trailers());
    }
    const auto written = from_proto(type_, json_, std::move(*message));
    if (!written) {
      ended_ = true;
      co_return last_envelope(to_status(written.error()), {});
    }
    co_return envelope(0, *written);
  }

 private:
  std::unique_ptr<StreamCall> call_;
  const pb::Descriptor& type_;
  const bool json_;
  bool ended_ = false;
};

net::Response refuse_call(const net::RequestHead& head, net::http::status status,
                          const std::string& sentence) {
  const auto content = parse_content_type(head[net::http::field::content_type]);
  if (!content || status == net::http::status::method_not_allowed) {
    return net::text_response(status, sentence);
  }
  if (status == net::http::status::payload_too_large) {
    return too_large(*content, {grpc::StatusCode::RESOURCE_EXHAUSTED, sentence});
  }
  const auto code = status == net::http::status::too_many_requests
                        ? grpc::StatusCode::RESOURCE_EXHAUSTED
                        : grpc::StatusCode::INVALID_ARGUMENT;
  return failure(*content, {code, sentence});
}

}  // namespace

ConnectGateway::ConnectGateway(std::shared_ptr<grpc::Channel> channel, const net::Origins& origins)
    : channel_(std::move(channel)), origins_(origins) {}

void ConnectGateway::add_routes(net::HttpRouter& router, std::string_view service) {
  router.prefix("/" + std::string{service} + "/",
                {.name = "connect",
                 .verbs = {net::http::verb::post, net::http::verb::options},
                 .handle = [this](net::Request request) { return handle(std::move(request)); },
                 .refuse = refuse_call});
}

awaitable<net::Response> ConnectGateway::handle(net::Request request) {
  const std::string origin{request[net::http::field::origin]};
  const net::Origin verdict = origins_.judge(origin, request[net::http::field::host]);
  if (verdict == net::Origin::kRefused) {
    co_return net::text_response(net::http::status::forbidden,
                                 "Pages of this origin may not come here.");
  }
  // GCC 12 destroys the result of a co_await in a conditional expression twice.
  net::Response response;
  if (request.method() == net::http::verb::options) {
    response = net::preflight_response();
  } else {
    response = co_await call(std::move(request));
  }
  if (verdict == net::Origin::kAllowed) net::share_with(origin, response);
  co_return response;
}

awaitable<net::Response> ConnectGateway::call(net::Request request) {
  const std::string path{net::path_of(request.target())};
  const pb::MethodDescriptor* method = find_method(path);
  if (method == nullptr) {
    net::Response response = error_response(
        {grpc::StatusCode::UNIMPLEMENTED, "There is no method " + path.substr(1) + "."});
    response.status = net::http::status::not_found;
    co_return response;
  }
  const auto content = parse_content_type(request[net::http::field::content_type]);
  const bool streams = method->server_streaming() || method->client_streaming();
  if (!content || content->streaming != streams) co_return refuse_media_type(*method);
  if (method->client_streaming()) {
    co_return failure(
        *content, {grpc::StatusCode::UNIMPLEMENTED, method->name() + " takes a stream: use gRPC."});
  }
  if (streams) co_return co_await call_stream_method(*method, *content, std::move(request));
  co_return co_await call_unary_method(*method, *content, std::move(request));
}

awaitable<net::Response> ConnectGateway::call_unary_method(const pb::MethodDescriptor& method,
                                                           ConnectContent content,
                                                           net::Request request) {
  auto ready = make_ready(method, content, request);
  // The only thing there that can be too much is what a compressed body becomes.
  if (!ready && ready.error().error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) {
    co_return too_large(content, ready.error());
  }
  if (!ready) co_return failure(content, ready.error());
  UnaryOutcome outcome = co_await call_unary(channel_, rpc_path(method), std::move(ready->message),
                                             prepare_call(request, ready->timeout));
  net::Response response;
  if (outcome.status.ok()) {
    auto body = from_proto(*method.output_type(), content.json, std::move(outcome.response));
    if (!body) co_return failure(content, to_status(body.error()));
    response.body = std::move(*body);
    response.headers.set(net::http::field::content_type, content_type(content));
  } else {
    response = failure(content, outcome.status);
  }
  add_metadata(outcome.headers, "", response.headers);
  add_metadata(outcome.trailers, "Trailer-", response.headers);
  co_return response;
}

awaitable<net::Response> ConnectGateway::call_stream_method(const pb::MethodDescriptor& method,
                                                            ConnectContent content,
                                                            net::Request request) {
  auto ready = make_ready(method, content, request);
  if (!ready) co_return failure(content, ready.error());
  auto call = std::make_unique<StreamCall>(channel_, rpc_path(method), std::move(ready->message),
                                           prepare_call(request, ready->timeout));
  net::Response response;
  add_metadata(co_await call->headers(), "", response.headers);
  response.headers.set(net::http::field::content_type, content_type(content));
  response.body =
      std::make_unique<EnvelopeSource>(std::move(call), *method.output_type(), content.json);
  co_return response;
}

}  // namespace tesela::rpc
