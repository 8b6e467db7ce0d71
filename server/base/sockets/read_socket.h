// Sockets that are not read again when they are known to be empty.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/detail/reactor.hpp>
#include <boost/asio/detail/reactor_op.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace tesela::base {

/// When a read has emptied its socket.
enum class Emptied : std::uint8_t {
  kUnknown,      // the next read is tried at once
  kByShortRead,  // when it has not filled its buffer; the end of the stream may be noticed late
  kAsTold,       // when the system says so: for TCP on Linux (TCP_INQ), otherwise as kUnknown. A
                 // reset that comes with the last bytes is noticed by start_anew() alone
};

/// Asks the system to tell what is left after each read. False where it does not.
[[nodiscard]] bool ask_what_is_left(int tcp_socket);

/// A read of a ReadSocket into one buffer. One thread: the context's.
class SocketRead : private boost::asio::detail::reactor_op {
 public:
  virtual ~SocketRead() = default;
  SocketRead(const SocketRead&) = delete;
  SocketRead& operator=(const SocketRead&) = delete;

 protected:
  explicit SocketRead(boost::asio::mutable_buffer buffer)
      : reactor_op({}, &perform, &finish), buffer_(buffer) {}

  [[nodiscard]] boost::asio::mutable_buffer buffer() const { return buffer_; }
  /// The read is over, with the errors of Asio's reads. `self`, this object, may be started again.
  /// Not called when the context is destroyed meanwhile.
  virtual void completed(std::unique_ptr<SocketRead> self, boost::system::error_code error,
                         std::size_t size) = 0;

 private:
  template <class Protocol>
  friend class ReadSocket;

  static status perform(reactor_op* base);
  static void finish(void* owner, boost::asio::detail::operation* base,
                     const boost::system::error_code& unused, std::size_t unused_size);
  /// recvmsg(), which says with `*left` what is left to read: -1 if the system has not told.
  [[nodiscard]] std::ptrdiff_t receive(int* left) const;

  const boost::asio::mutable_buffer buffer_;
  int socket_{-1};
  Emptied emptied_{};
};

/// A stream socket of an io_context that one thread runs.
///
/// Asio tries each read at once, however little the one before has found. Here a read that has
/// emptied the socket says so to Asio's reactor, as Asio does for its writes, and the next one
/// waits for the system's event. Asio's interface has no place to say that of a read, which is why
/// this class uses what is Asio's own; with other versions than the one that was read for it, each
/// read is tried at once.
template <class Protocol>
class ReadSocket
    : public boost::asio::basic_stream_socket<Protocol, boost::asio::io_context::executor_type> {
 public:
  /// The base class, for templates that need Asio's own class.
  using Plain = boost::asio::basic_stream_socket<Protocol, boost::asio::io_context::executor_type>;

  /// Not open.
  explicit ReadSocket(boost::asio::io_context& context)
      : Plain(context),
        reactor_(&boost::asio::use_service<boost::asio::detail::reactor>(context)) {}

  /// For the reads that start from now on. The socket is open.
  void set_emptied(Emptied when) {
    emptied_ = when == Emptied::kAsTold && !ask_what_is_left(this->native_handle())
                   ? Emptied::kUnknown
                   : when;
  }

  /// Starts a read, which ends early by close() and cancel() alone. One at a time.
  void start(std::unique_ptr<SocketRead> read) { begin(std::move(read), /*at_once=*/true); }
  /// The same where the system's event may have been missed.
  void start_anew(std::unique_ptr<SocketRead> read) { begin(std::move(read), /*at_once=*/false); }

 private:
  void begin(std::unique_ptr<SocketRead> read, bool at_once) {
    using boost::asio::detail::reactor;
    auto& socket = this->impl_.get_implementation();
    read->ec_ = {};
    read->bytes_transferred_ = 0;
    read->socket_ = socket.socket_;
    read->emptied_ = emptied_;
    reactor_->start_op(reactor::read_op, socket.socket_, socket.reactor_data_, read.release(),
                       /*is_continuation=*/true, at_once);
  }

  boost::asio::detail::reactor* reactor_;
  Emptied emptied_{};
};

}  // namespace tesela::base
