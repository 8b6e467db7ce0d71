#include "server/net/transport.h"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <chrono>
#include <utility>

#include "server/base/limits.h"
#include "server/net/usual_frame.h"

namespace tesela::net {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using asio::ip::tcp;
using std::chrono::steady_clock;

const quota::Rate kPace = quota::Rate::of(limits::kStreamBytesPerSecond, std::chrono::seconds{1},
                                          limits::kStreamBurstSeconds);

template <class Socket>
void tune_socket(Socket& socket, int send_bytes) {
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::send_buffer_size(send_bytes), ignored);
}

}  // namespace

awaitable<bool> Transport::handshake() {
  if (!tls_) co_return true;
  const auto [error] = co_await tls_->async_handshake(asio::ssl::stream_base::server, use_tuple);
  co_return !error;
}

awaitable<void> Transport::say_end() {
  if (tls_) co_await tls_->async_shutdown(use_tuple);
}

awaitable<Transferred> Transport::read_some(asio::mutable_buffer room) {
  if (tls_) {
    const auto [error, size] = co_await tls_->async_read_some(room, use_tuple);
    co_return Transferred{error, size};
  }
  const auto [error, size] = co_await plain_.async_read_some(room, use_tuple);
  co_return Transferred{error, size};
}

awaitable<Transferred> Transport::write(std::string_view bytes) {
  co_return co_await write(bytes, {});
}

awaitable<Transferred> Transport::write(std::string_view first, std::string_view second) {
  const std::array<asio::const_buffer, 2> bytes{asio::buffer(first), asio::buffer(second)};
  if (tls_) {
    const auto [error, size] = co_await asio::async_write(*tls_, bytes, use_tuple);
    co_return Transferred{error, size};
  }
  const auto [error, size] = co_await asio::async_write(plain_, bytes, use_tuple);
  co_return Transferred{error, size};
}

Transport Transport::release() {
  if (!tls_) return {boost::beast::tcp_stream{plain_.release_socket()}, nullptr};
  return {boost::beast::tcp_stream{plain_.get_executor()}, std::move(tls_)};
}

StreamWire::StreamWire(asio::io_context& context, Transport transport, bool paced)
    : plain_(context), tls_(std::move(transport.tls_)) {
  if (paced) pace_ = std::make_unique<Pace>(StreamTimer{context, steady_clock::now()});
  if (tls_) return;
  tcp::socket& socket = transport.plain_.socket();
  boost::system::error_code error;
  const auto protocol = socket.local_endpoint(error).protocol();
  if (!error) {
    const int descriptor = socket.release(error);
    if (!error) {
      plain_.assign(protocol, descriptor, error);
      if (error) ::close(descriptor);
    }
  }
  if (!error) plain_.non_blocking(true, error);
  if (!error) plain_.set_emptied(base::Emptied::kAsTold);
}

void StreamWire::tune(int send_bytes) {
  if (tls_) {
    tune_socket(tls_->next_layer().socket(), send_bytes);
  } else {
    tune_socket(plain_, send_bytes);
  }
}

void StreamWire::charge(std::size_t bytes) {
  if (pace_) charge(bytes, steady_clock::now());
}

void StreamWire::charge(std::size_t bytes, Time now) {
  if (!pace_) return;
  const auto wait = pace_->bytes.owe(kPace, bytes, now);
  if (wait.count() > 0) {
    pace_->pause.expires_at(now + std::max<steady_clock::duration>(wait, limits::kStreamPauseMin));
    pace_->owes = true;
  }
}

bool StreamWire::must_pause() {
  // The clock is read only during a pause.
  if (pace_->owes) pace_->owes = pace_->pause.expiry() > steady_clock::now();
  return pace_->owes;
}

void StreamWire::read(std::unique_ptr<Reading> reading) {
  // Waiting on an expired timer would arm the system's timer, which costs more than a read.
  if (!pace_ || !must_pause()) return read_now(std::move(reading));
  pace_->pause.async_wait(
      [this, reading = std::move(reading)](boost::system::error_code error) mutable {
        if (error) return reading->complete(error, 0);
        read_now(std::move(reading));
      });
}

void StreamWire::read_now(std::unique_ptr<Reading> reading) {
  if (!tls_) {
    reading->wire = this;
    if (std::exchange(look_, false)) return plain_.start_anew(std::move(reading));
    return plain_.start(std::move(reading));
  }
  const asio::mutable_buffer buffer = reading->buffer();
  auto then = [this, reading = std::move(reading)](boost::system::error_code error,
                                                   std::size_t size) mutable {
    take(std::move(reading), error, size);
  };
  tls_->async_read_some(buffer, asio::bind_executor(get_executor(), std::move(then)));
}

void StreamWire::Reading::completed(std::unique_ptr<SocketRead> self,
                                    boost::system::error_code error, std::size_t size) {
  StreamWire& of = *wire;
  std::unique_ptr<Reading> reading(static_cast<Reading*>(self.release()));
  // By `look_for_end`, not by `close`.
  const bool again = error == asio::error::operation_aborted && of.plain_.is_open();
  if (again) return of.read_now(std::move(reading));
  of.take(std::move(reading), error, size);
}

void StreamWire::look_for_end() {
  if (!plain_.is_open()) return;
  look_ = true;
  boost::system::error_code ignored;
  plain_.cancel(ignored);
}

void StreamWire::take(std::unique_ptr<Reading> reading, boost::system::error_code error,
                      std::size_t size) {
  const Time now = steady_clock::now();
  charge(size, now);
  const std::span bytes(static_cast<char*>(reading->buffer().data()), size);
  const std::size_t left = error ? size : hand_on(bytes, now);
  follow({bytes.data(), left});
  // Otherwise all of it was messages for `on_message_`.
  if (error || size == 0 || left > 0) return reading->complete(error, left);
  read(std::move(reading));
}

void StreamWire::write(std::unique_ptr<Writing> writing) {
  if (!tls_) {
    writing_ = true;
    if (unsent_) {
      unsent_->next = [this, writing = std::move(writing)]() mutable {
        write_now(std::move(writing));
      };
      return;
    }
  }
  write_now(std::move(writing));
}

void StreamWire::write_now(std::unique_ptr<Writing> writing) {
  // In the object, which stays where it is until the write has ended.
  const std::span<const asio::const_buffer> pieces = writing->pieces.all();
  auto then = [this, writing = std::move(writing)](boost::system::error_code error,
                                                   std::size_t size) mutable {
    // The caller writes the rest within the call.
    if (!tls_) {
      writing_ = !error && size < writing->pieces.bytes;
      if (error) look_for_end();
    }
    writing->complete(error, size);
  };
  if (tls_) {
    tls_->async_write_some(pieces, asio::bind_executor(get_executor(), std::move(then)));
  } else {
    plain_.async_write_some(pieces, std::move(then));
  }
}

void StreamWire::finish_send(std::move_only_function<void(boost::system::error_code)> then) {
  asio::async_write(
      plain_, asio::buffer(unsent_->bytes),
      [this, then = std::move(then)](boost::system::error_code error, std::size_t) mutable {
        const std::unique_ptr<Unsent> sent = std::move(unsent_);
        // What follows the half of a frame would be read as the rest of it.
        if (error) close();
        if (sent->next) sent->next();
        then(error);
      });
}

awaitable<Transferred> StreamWire::read_some(asio::mutable_buffer room) {
  const auto [error, size] = co_await async_read_some(room, use_tuple);
  co_return Transferred{error, size};
}

awaitable<Transferred> StreamWire::write(std::string_view bytes) {
  const auto [error, size] = co_await asio::async_write(*this, asio::buffer(bytes), use_tuple);
  co_return Transferred{error, size};
}

void StreamWire::tear_down(boost::beast::role_type role,
                           std::move_only_function<void(boost::system::error_code)> then) {
  using boost::beast::websocket::async_teardown;
  auto ended = asio::bind_executor(
      get_executor(),
      [then = std::move(then)](boost::system::error_code error) mutable { then(error); });
  if (tls_) {
    async_teardown(role, tls_->next_layer().socket(), std::move(ended));
  } else {
    async_teardown(role, static_cast<StreamSocket&>(plain_), std::move(ended));
  }
}

void StreamWire::close() {
  if (pace_) pace_->pause.cancel();
  boost::system::error_code ignored;
  if (tls_) {
    tls_->next_layer().close();
  } else {
    plain_.close(ignored);
  }
}

StreamWire::Sent StreamWire::send(std::string_view head, std::string_view payload) {
  if (tls_ || writing_ || unsent_) return Sent::kNothing;
  const std::array<asio::const_buffer, 2> frame{asio::const_buffer{head.data(), head.size()},
                                                asio::const_buffer{payload.data(), payload.size()}};
  boost::system::error_code error;
  const std::size_t sent = plain_.write_some(frame, error);
  if (error) {
    if (error != asio::error::would_block) look_for_end();
    return Sent::kNothing;
  }
  if (sent == head.size() + payload.size()) return Sent::kAll;
  const std::size_t of_head = std::min(sent, head.size());
  unsent_ = std::make_unique<Unsent>();
  unsent_->bytes.append(head.substr(of_head)).append(payload.substr(sent - of_head));
  return Sent::kPart;
}

std::size_t StreamWire::hand_on(std::span<char> bytes, Time now) {
  std::span<char> rest = bytes;
  while (on_message_ && lengths_.between_messages()) {
    const auto frame = take_usual_frame(rest);
    if (!frame) break;
    rest = rest.subspan(frame->size);
    on_message_(frame->payload, now);
  }
  if (rest.size() < bytes.size()) std::ranges::copy(rest, bytes.begin());
  return rest.size();
}

void StreamWire::end() {
  boost::system::error_code ignored;
  if (tls_) {
    tls_->next_layer().socket().shutdown(tcp::socket::shutdown_send, ignored);
  } else {
    plain_.shutdown(tcp::socket::shutdown_send, ignored);
  }
}

namespace {

constexpr std::size_t kShortHead = 2;
constexpr std::size_t kMaskBytes = 4;
constexpr unsigned kMasked = 0x80;
constexpr unsigned kLengthBits = 0x7f;
constexpr unsigned kLengthIn2 = 126;
constexpr unsigned kLengthIn8 = 127;
constexpr unsigned kFinal = 0x80;
constexpr unsigned kControl = 0x08;  // the bit of control opcodes

}  // namespace

bool MessageLengths::take(std::string_view bytes) {
  while (!too_large_ && !bytes.empty()) {
    const auto skipped =
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), payload_left_));
    payload_left_ -= skipped;
    bytes.remove_prefix(skipped);
    if (bytes.empty()) break;
    head_[head_size_++] = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (head_size_ < head_bytes()) continue;
    head_size_ = 0;
    payload_left_ = payload_bytes();
    if ((head_[0] & kControl) != 0) continue;
    fragmented_ = (head_[0] & kFinal) == 0;
    // No overflow: both are at most the limit before they are added.
    too_large_ =
        payload_left_ > limits::kFrameBytesMax || message_ + payload_left_ > limits::kFrameBytesMax;
    message_ = (head_[0] & kFinal) != 0 ? 0 : message_ + payload_left_;
  }
  return !too_large_;
}

std::size_t MessageLengths::head_bytes() const {
  if (head_size_ < kShortHead) return kShortHead;
  const unsigned length = head_[1] & kLengthBits;
  const std::size_t more = length == kLengthIn8 ? 8 : length == kLengthIn2 ? 2 : 0;
  return kShortHead + more + ((head_[1] & kMasked) != 0 ? kMaskBytes : 0);
}

std::uint64_t MessageLengths::payload_bytes() const {
  const unsigned length = head_[1] & kLengthBits;
  if (length < kLengthIn2) return length;
  const std::size_t size = length == kLengthIn8 ? 8 : 2;
  std::uint64_t payload = 0;
  for (std::size_t i = 0; i < size; ++i) payload = payload << 8U | head_[kShortHead + i];
  return payload;
}

}  // namespace tesela::net
