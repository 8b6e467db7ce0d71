#include "server/base/sockets/read_socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <boost/asio/error.hpp>
#include <boost/asio/version.hpp>
#include <cerrno>
#include <cstring>

namespace tesela::base {

namespace error = boost::asio::error;
using boost::system::error_code;

namespace {

/// Whether the reactor is known to wait for an event after done_and_exhausted.
constexpr bool kKnown = BOOST_ASIO_VERSION == 102600;

}  // namespace

bool ask_what_is_left(int tcp_socket) {
  const int on = 1;
  return ::setsockopt(tcp_socket, IPPROTO_TCP, TCP_INQ, &on, sizeof on) == 0;
}

std::ptrdiff_t SocketRead::receive(int* left) const {
  if (emptied_ != Emptied::kAsTold) {
    return ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
  }
  iovec into{.iov_base = buffer_.data(), .iov_len = buffer_.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof *left)> told;
  msghdr message{};
  message.msg_iov = &into;
  message.msg_iovlen = 1;
  message.msg_control = told.data();
  message.msg_controllen = told.size();
  const ssize_t size = ::recvmsg(socket_, &message, MSG_DONTWAIT);
  if (size < 0) return size;
  const cmsghdr* first = CMSG_FIRSTHDR(&message);
  if (first != nullptr && first->cmsg_level == IPPROTO_TCP && first->cmsg_type == TCP_INQ) {
    std::memcpy(left, CMSG_DATA(first), sizeof *left);
  }
  return size;
}

SocketRead::status SocketRead::perform(reactor_op* base) {
  auto& read = static_cast<SocketRead&>(*base);
  for (;;) {
    int left = -1;
    const std::ptrdiff_t size = read.receive(&left);
    if (size > 0) {
      read.bytes_transferred_ = static_cast<std::size_t>(size);
      if (read.emptied_ == Emptied::kByShortRead && read.bytes_transferred_ < read.buffer_.size()) {
        left = 0;
      }
      return left == 0 && kKnown ? done_and_exhausted : done;
    }
    if (size == 0) {
      read.ec_ = error::eof;
      return done_and_exhausted;
    }
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return not_done;
    read.ec_ = error_code(errno, error::get_system_category());
    return done_and_exhausted;
  }
}

void SocketRead::finish(void* owner, boost::asio::detail::operation* base,
                        const error_code& /*unused*/, std::size_t /*unused_size*/) {
  std::unique_ptr<SocketRead> self(static_cast<SocketRead*>(base));
  if (owner == nullptr) return;  // the context is destroyed
  SocketRead& read = *self;
  read.completed(std::move(self), read.ec_, read.bytes_transferred_);
}

}  // namespace tesela::base
