// One stream or call that is carried to the owner of its table.
#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/base/loop.h"
#include "server/base/relay_limits.h"
#include "server/net/transport.h"
#include "server/nodes/node_address.h"

namespace tesela::nodes {

/// What came of a request that was passed on to the owner of a table.
enum class Answer : std::uint8_t {
  kGiven,        // the client gets it, and all that follows
  kWrongOwner,   // 421: the table is not that server's
  kUnreachable,  // no connection or no answer in time, or the answer is no HTTP
  kStranger,     // 403: that server has another secret
};

/// The owner's answer to a call.
using CallAnswer = boost::beast::http::response<boost::beast::http::string_body>;

/// Used by the thread of its loop alone. Kept by a shared_ptr as long as one of its coroutines
/// runs.
class Relay : public std::enable_shared_from_this<Relay> {
 public:
  explicit Relay(base::Loop& loop);
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  /// Connects to `owner`, sends `request`, and waits for the first line of the answer. Once.
  boost::asio::awaitable<Answer> ask(NodeAddress owner, std::string request);
  /// After kGiven: passes on the answer, and then bytes in both directions, until both have ended.
  /// A side that ends its direction may go on to read for limits::kRelayEndTimeMax. Nothing is read
  /// from one side while the other does not take what was read before.
  boost::asio::awaitable<void> carry(net::StreamWire client);
  /// After kGiven for the head of a call: sends `body`, unless the owner has answered without it,
  /// and returns the answer. Empty: it has not come until then, or is too long.
  boost::asio::awaitable<std::optional<CallAnswer>> finish(
      std::string body, std::chrono::steady_clock::time_point until);
  /// After kGiven for the head of a call whose answer is a stream: the body is written, and the
  /// rest of the answer read (net::Transport has the same); and what was read of it before.
  boost::asio::awaitable<net::Transferred> write(std::string_view bytes);
  boost::asio::awaitable<net::Transferred> read_some(boost::asio::mutable_buffer room);
  [[nodiscard]] std::string_view answered() const { return {from_owner_.data(), answered_}; }
  /// Has it closed then, or never, in place of what was said before.
  void close_at(std::chrono::steady_clock::time_point time);
  void close_never();
  /// Closes both connections: the coroutines end soon.
  void close();
  /// Closes them at this time, if they are open then.
  void close_by(std::chrono::steady_clock::time_point end);

 private:
  boost::asio::awaitable<bool> connect(NodeAddress owner);
  boost::asio::awaitable<Answer> read_answer();
  boost::asio::awaitable<std::optional<CallAnswer>> read_whole_answer(
      boost::beast::flat_buffer& buffer);
  boost::asio::awaitable<void> to_owner();
  boost::asio::awaitable<void> to_client();
  void ended(bool in_order);
  void close_after(std::chrono::milliseconds time);

  base::Loop& loop_;
  net::StreamSocket owner_;
  std::optional<net::StreamWire> client_;
  net::StreamTimer deadline_;
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::time_point::max();
  std::array<char, limits::kRelayBufferBytes> from_client_;
  std::array<char, limits::kRelayBufferBytes> from_owner_;
  bool closed_ = false;
  std::size_t answered_ = 0;  // bytes in from_owner_ that the client has not got
};

}  // namespace tesela::nodes
