// The byte stream of a connection, plain or under TLS, and the pacing of a WebSocket's reads.
#pragma once

#include <array>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/loop.h"
#include "server/base/sockets/read_socket.h"
#include "server/net/tls.h"
#include "server/quota/rate.h"

namespace tesela::net {

/// Parses the headers of a client's WebSocket frames (RFC 6455, 5.2) from pieces of any size, to
/// find messages that are announced as too large. Beast checks everything else. One thread.
class MessageLengths {
 public:
  /// Takes the next bytes. False as soon as the fragments of a message announce more than
  /// limits::kFrameBytesMax together; then further bytes are ignored.
  [[nodiscard]] bool take(std::string_view bytes);
  /// Whether what was taken ends with a whole message, or between messages with a control frame.
  [[nodiscard]] bool between_messages() const {
    return head_size_ == 0 && payload_left_ == 0 && !fragmented_ && !too_large_;
  }

 private:
  static constexpr std::size_t kHeadBytesMax = 14;

  [[nodiscard]] std::size_t head_bytes() const;
  [[nodiscard]] std::uint64_t payload_bytes() const;

  // In an order without gaps: there is one for each idle connection.
  std::array<unsigned char, kHeadBytesMax> head_{};
  std::uint8_t head_size_ = 0;  // bytes of it so far
  bool too_large_ : 1 = false;
  bool fragmented_ : 1 = false;     // further frames of the current message follow
  std::uint64_t payload_left_ = 0;  // of the current frame
  std::uint64_t message_ = 0;       // bytes announced by the frames of the current message
};

using base::use_tuple;

using TlsStream = boost::asio::ssl::stream<boost::beast::tcp_stream>;

/// What came of a read or a write.
struct Transferred {
  boost::system::error_code error;
  std::size_t size = 0;
};

/// A connection of one of the two ports. It takes its buffers as coroutines, so that what Asio
/// makes of a read is compiled once, and not for each caller.
class Transport {
 public:
  using executor_type = boost::beast::tcp_stream::executor_type;

  /// With a context the connection uses TLS, and `handshake` must be the first operation.
  Transport(boost::asio::ip::tcp::socket socket, const Tls::Context& context)
      : plain_(std::move(socket)) {
    if (context) tls_ = std::make_unique<TlsStream>(std::move(plain_), *context);
  }

  [[nodiscard]] bool encrypted() const { return tls_ != nullptr; }
  executor_type get_executor() { return tcp().get_executor(); }
  /// The layer below TLS, for time-outs, cancellation and closing.
  [[nodiscard]] boost::beast::tcp_stream& tcp() { return tls_ ? tls_->next_layer() : plain_; }

  /// The TLS handshake; nothing for a plain connection. False when it fails.
  boost::asio::awaitable<bool> handshake();
  /// Sends TLS's close_notify; nothing for a plain connection.
  boost::asio::awaitable<void> say_end();

  /// Reads once, or writes all. An error comes with the bytes done before it. One read and one
  /// write at a time.
  boost::asio::awaitable<Transferred> read_some(boost::asio::mutable_buffer room);
  boost::asio::awaitable<Transferred> write(std::string_view bytes);
  /// The same of two pieces.
  boost::asio::awaitable<Transferred> write(std::string_view first, std::string_view second);

  /// Moves the connection into a new object. This one is closed then.
  [[nodiscard]] Transport release();

 private:
  friend class StreamWire;
  Transport(boost::beast::tcp_stream plain, std::unique_ptr<TlsStream> tls)
      : plain_(std::move(plain)), tls_(std::move(tls)) {}

  boost::beast::tcp_stream plain_;
  std::unique_ptr<TlsStream> tls_;
};

/// A socket with a concrete executor type, which costs less time and memory than any_io_executor.
using StreamSocket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

/// The same for a timer.
using StreamTimer =
    boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                      boost::asio::wait_traits<std::chrono::steady_clock>,
                                      boost::asio::io_context::executor_type>;

/// The connection of a stream, on the context of its table. A plain socket is moved there. One
/// under TLS cannot be moved, because its state holds bytes and timers: it stays registered where
/// it was accepted, and its handlers run on the table's context.
class StreamWire {
 public:
  using executor_type = StreamSocket::executor_type;
  using Time = std::chrono::steady_clock::time_point;
  using OnMessage = std::function<void(std::string_view, Time)>;

  /// No operation may be pending on the transport. A `paced` one is read at most at
  /// limits::kStreamBytesPerSecond.
  StreamWire(boost::asio::io_context& context, Transport transport, bool paced);

  executor_type get_executor() { return plain_.get_executor(); }
  /// Disables Nagle's algorithm and limits the system's send buffer to `send_bytes`.
  void tune(int send_bytes);
  void close();
  /// Ends the direction to the client; data written before still arrives.
  void end();
  /// Charges `bytes` more than were read, for a frame that is expensive to handle.
  void charge(std::size_t bytes);
  /// Calls `on_too_large` once, when the client announces a message that is too large
  /// (MessageLengths). Call before the first read.
  void watch_lengths(std::function<void()> on_too_large) { too_large_ = std::move(on_too_large); }
  /// From now on whole binary messages of a usual frame (`take_usual_frame`) go to `on_message`
  /// instead of to the reader, which does not know of them. Called only while a read is pending,
  /// with the time of the read; the view is valid during the call.
  void watch_messages(OnMessage on_message) { on_message_ = std::move(on_message); }

  /// How much of a message `send` has sent.
  enum class Sent : std::uint8_t { kNothing, kPart, kAll };
  /// Sends a message, whose frame begins with `head`, within the call, as far as the system takes
  /// it. Nothing under TLS, on an error, or while something else is being written. After kPart call
  /// `finish_send`.
  [[nodiscard]] Sent send(std::string_view head, std::string_view payload);
  /// Sends the rest of the message, before anything else, and calls `then` with the error code.
  /// `then` keeps the wire alive.
  void finish_send(std::move_only_function<void(boost::system::error_code)> then);

  /// Reads into the first buffer that is not empty. Ends early by `close` alone, not by a
  /// cancellation slot.
  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [this](auto handler, boost::asio::mutable_buffer buffer) {
          read(std::make_unique<ReadingFor<decltype(handler)>>(buffer, std::move(handler)));
        },
        token, first_of(buffers));
  }

  /// Writes some bytes of the buffers, of the first Pieces::kMax that are not empty.
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [this](auto handler, const Pieces& pieces) {
          this->write(std::make_unique<WritingFor<decltype(handler)>>(pieces, std::move(handler)));
        },
        token, Pieces::of(buffers));
  }

  /// As Transport's.
  boost::asio::awaitable<Transferred> read_some(boost::asio::mutable_buffer room);
  boost::asio::awaitable<Transferred> write(std::string_view bytes);

  // Required of the next layer by Beast's WebSocket.
  friend void beast_close_socket(StreamWire& wire) { wire.close(); }
  template <class Handler>
  friend void async_teardown(boost::beast::role_type role, StreamWire& wire, Handler&& handler) {
    wire.tear_down(role, std::forward<Handler>(handler));
  }

 private:
  /// A call of `async_read_some`. It lasts for all messages that `on_message_` takes meanwhile, so
  /// that none of them moves the caller's handler.
  struct Reading : base::SocketRead {
    explicit Reading(boost::asio::mutable_buffer into) : SocketRead(into) {}
    virtual void complete(boost::system::error_code error, std::size_t size) = 0;
    void completed(std::unique_ptr<SocketRead> self, boost::system::error_code error,
                   std::size_t size) final;
    using SocketRead::buffer;

    StreamWire* wire{nullptr};  // while it is started
  };
  template <class Handler>
  struct ReadingFor final : Reading {
    ReadingFor(boost::asio::mutable_buffer into, Handler&& then)
        : Reading(into), handler(std::move(then)) {}
    void complete(boost::system::error_code error, std::size_t size) override {
      std::move(handler)(error, size);
    }

    Handler handler;
  };

  /// The buffers of a write.
  struct Pieces {
    // The head of a response has one for each of its lines.
    static constexpr std::size_t kMax = 16;

    template <class Buffers>
    static Pieces of(const Buffers& buffers) {
      Pieces pieces;
      for (const boost::asio::const_buffer piece : boost::beast::buffers_range_ref(buffers)) {
        pieces.bytes += piece.size();
        if (piece.size() == 0 || pieces.count == kMax) continue;
        pieces.first[pieces.count++] = piece;
      }
      return pieces;
    }
    [[nodiscard]] std::span<const boost::asio::const_buffer> all() const {
      return std::span(first).first(count);
    }

    std::array<boost::asio::const_buffer, kMax> first{};
    std::size_t count = 0;
    std::size_t bytes = 0;  // of all buffers
  };
  /// A call of `async_write_some`.
  struct Writing {
    explicit Writing(const Pieces& what) : pieces(what) {}
    virtual ~Writing() = default;
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;
    virtual void complete(boost::system::error_code error, std::size_t size) = 0;

    const Pieces pieces;
  };
  template <class Handler>
  struct WritingFor final : Writing {
    WritingFor(const Pieces& what, Handler&& then) : Writing(what), handler(std::move(then)) {}
    void complete(boost::system::error_code error, std::size_t size) override {
      std::move(handler)(error, size);
    }

    Handler handler;
  };

  /// The rest of a message of `send`, and the write that waits for it.
  struct Unsent {
    std::string bytes;
    std::move_only_function<void()> next{};
  };

  void charge(std::size_t bytes, Time now);
  [[nodiscard]] bool must_pause();
  /// Reads once, after the pause that the pace demands.
  void read(std::unique_ptr<Reading> reading);
  void read_now(std::unique_ptr<Reading> reading);
  void take(std::unique_ptr<Reading> reading, boost::system::error_code error, std::size_t size);
  /// Writes once, after the message of `send` that is not sent to its end.
  void write(std::unique_ptr<Writing> writing);
  void write_now(std::unique_ptr<Writing> writing);
  void tear_down(boost::beast::role_type role,
                 std::move_only_function<void(boost::system::error_code)> then);
  /// Hands messages at the beginning of `bytes`, which were read, to `on_message_`. What is left is
  /// moved to the front; returns its size.
  [[nodiscard]] std::size_t hand_on(std::span<char> bytes, Time now);
  /// After an error of a write: a reset that came together with bytes that were read has made no
  /// event for the read that waits.
  void look_for_end();
  void follow(std::string_view bytes) {
    if (!lengths_.take(bytes) && too_large_) std::exchange(too_large_, {})();
  }

  /// The first buffer that is not empty. Beast's sequences rarely have another one, and one buffer
  /// costs less to read into.
  template <class Buffers>
  static boost::asio::mutable_buffer first_of(const Buffers& buffers) {
    for (const boost::asio::mutable_buffer buffer : boost::beast::buffers_range_ref(buffers)) {
      if (buffer.size() > 0) return buffer;
    }
    return {};
  }

  struct Pace {
    StreamTimer pause;  // until more is read
    quota::Budget bytes{};
    bool owes = false;  // the pause may not be over
  };

  base::ReadSocket<boost::asio::ip::tcp> plain_;  // closed under TLS
  std::unique_ptr<TlsStream> tls_;
  std::unique_ptr<Pace> pace_;  // null: not paced
  MessageLengths lengths_;
  std::function<void()> too_large_;
  OnMessage on_message_;
  std::unique_ptr<Unsent> unsent_;
  bool writing_ = false;  // by `async_write_some`
  bool look_ = false;     // the next read looks at the socket anew
};

}  // namespace tesela::net
