#include "server/nodes/node_calls.h"

#include <algorithm>
#include <boost/beast/http/status.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "server/base/loop.h"
#include "server/base/relay_limits.h"
#include "server/nodes/connect_request.h"
#include "server/nodes/node_address.h"
#include "server/rpc/connect_error.h"

namespace tesela::nodes {
namespace {

namespace http = boost::beast::http;
namespace pb = google::protobuf;
using boost::asio::awaitable;
using std::chrono::steady_clock;

/// The server's answer.
Expected<rpc::MessagePtr> message_of(const pb::MethodDescriptor& method, const CallAnswer& answer) {
  if (answer.result() == http::status::not_implemented) {
    return refuse(ErrorCode::kUnavailable, "That server's version does not know this call.");
  }
  if (answer.result() != http::status::ok) {
    return std::unexpected(rpc::read_error(answer.result_int(), answer.body()));
  }
  const pb::Message* empty =
      pb::MessageFactory::generated_factory()->GetPrototype(method.output_type());
  std::shared_ptr<pb::Message> message{empty->New()};
  if (!message->ParseFromString(answer.body())) {
    return refuse(ErrorCode::kInternal, "That server gave no answer to this.");
  }
  return message;
}

}  // namespace

awaitable<Expected<rpc::MessagePtr>> NodeCalls::call(std::string address, std::string_view path,
                                                     const pb::Message& request,
                                                     steady_clock::time_point until) {
  const pb::MethodDescriptor* method = rpc::declared_method(path);
  if (method == nullptr || request.GetDescriptor() != method->input_type()) {
    throw std::logic_error("no call of a server: " + std::string{path});
  }
  return call_with(std::move(address), *method, request.SerializeAsString(), until);
}

awaitable<Expected<rpc::MessagePtr>> NodeCalls::call_with(std::string address,
                                                          const pb::MethodDescriptor& method,
                                                          std::string body,
                                                          steady_clock::time_point until) {
  const auto node = parse_node_address(address);
  if (!node) co_return refuse(ErrorCode::kUnavailable, "That server has no node port.");
  if (body.size() > limits::kNodeCallBytesMax) {
    co_return refuse(ErrorCode::kResourceExhausted, "This is too much for another server.");
  }
  until = std::min(until, steady_clock::now() + limits::kRelayCallTimeMax);
  base::Loop* current = base::Loop::current();
  base::Loop& loop = current != nullptr ? *current : io_.any();
  const std::string path = "/" + method.service()->full_name() + "/" + method.name();
  auto asked = relays_.call(loop, unary_request(path, std::move(body), until), *node);
  const Expected<CallAnswer> answer = co_await loop.call(std::move(asked));
  if (!answer) co_return std::unexpected(answer.error());
  co_return message_of(method, *answer);
}

}  // namespace tesela::nodes
