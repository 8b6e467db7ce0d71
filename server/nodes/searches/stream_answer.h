// The answer of another server to a call that streams, in the Connect protocol.
#pragma once

#include <google/protobuf/message.h>

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <memory>
#include <optional>
#include <string>

#include "engine/core/result.h"
#include "server/base/limits.h"
#include "server/nodes/relay.h"
#include "server/rpc/method.h"

namespace tesela::nodes {

/// Used on the relay's loop, not after an error. Reads no more than the caller takes: the rest
/// waits in the buffers of the system.
class StreamAnswer final : public rpc::Stream {
 public:
  /// `relay` has had kGiven for the head of the call; `empty` is of the messages that come.
  StreamAnswer(std::shared_ptr<Relay> relay, const google::protobuf::Message& empty);

  /// Sends the body as soon as the server asks for it, and waits for the head of the answer, for
  /// limits::kRelayCallTimeMax at most. Errors: the server's refusal; kFenced when it is gone, or
  /// its answer cannot be read.
  boost::asio::awaitable<Expected<void>> begin(std::string body);
  /// Errors: those with which the server ended the stream; kFenced likewise.
  boost::asio::awaitable<Expected<rpc::MessagePtr>> next() override;

 private:
  using Head = std::unique_ptr<boost::beast::http::response_parser<boost::beast::http::empty_body>>;

  /// Null when the server has gone.
  boost::asio::awaitable<Head> read_head();
  boost::asio::awaitable<Error> read_refusal(Head head);
  /// Whether more of the body has come, or may come.
  boost::asio::awaitable<bool> read_some();

  const std::shared_ptr<Relay> relay_;
  const google::protobuf::Message& empty_;
  boost::beast::flat_buffer buffer_{limits::kHttpHeaderBytesMax};
  std::optional<boost::beast::http::response_parser<boost::beast::http::buffer_body>> body_;
  std::array<char, 1024> piece_{};
  std::string bytes_;  // of the body, not taken yet
};

}  // namespace tesela::nodes
