// Calls between servers that are no call of a client: tesela.node.v1.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/result.h"
#include "server/base/io_pool.h"
#include "server/nodes/relays.h"
#include "server/rpc/method.h"

namespace tesela::nodes {

/// Any thread. Outlives its calls; all of them end soon after Relays::stop.
class NodeCalls {
 public:
  /// Both must outlive it. A call runs on the loop of its caller, or else on one of `io`.
  NodeCalls(Relays& relays, base::IoPool& io) : relays_(relays), io_(io) {}
  NodeCalls(const NodeCalls&) = delete;
  NodeCalls& operator=(const NodeCalls&) = delete;

  /// Has the server at `address` (Owner::address, as it stands in the store) answer the unary
  /// method of `path`, such as "/tesela.node.v1.NodeService/GetNode", with a connection of its own,
  /// and waits for it until `until`, at most for limits::kRelayCallTimeMax. Nothing of `request` is
  /// used after the call itself.
  /// Errors: those of the method; kUnavailable when the server has no node port, cannot be reached,
  /// has another secret, does not know the method, or did not answer: then it may have been done;
  /// kResourceExhausted for a request above limits::kNodeCallBytesMax.
  [[nodiscard]] boost::asio::awaitable<Expected<rpc::MessagePtr>> call(
      std::string address, std::string_view path, const google::protobuf::Message& request,
      std::chrono::steady_clock::time_point until);

  /// The same, as the message of the method's answer.
  template <class Response>
  [[nodiscard]] boost::asio::awaitable<Expected<std::shared_ptr<const Response>>> call_for(
      std::string address, std::string_view path, const google::protobuf::Message& request,
      std::chrono::steady_clock::time_point until) {
    return as<Response>(call(std::move(address), path, request, until));
  }

 private:
  template <class Response>
  static boost::asio::awaitable<Expected<std::shared_ptr<const Response>>> as(
      boost::asio::awaitable<Expected<rpc::MessagePtr>> work) {
    auto message = co_await std::move(work);
    if (!message) co_return std::unexpected(std::move(message.error()));
    auto response = std::dynamic_pointer_cast<const Response>(*message);
    if (!response) co_return refuse(ErrorCode::kInternal, "The method has another answer.");
    co_return response;
  }

  boost::asio::awaitable<Expected<rpc::MessagePtr>> call_with(
      std::string address, const google::protobuf::MethodDescriptor& method, std::string body,
      std::chrono::steady_clock::time_point until);

  Relays& relays_;
  base::IoPool& io_;
};

}  // namespace tesela::nodes
