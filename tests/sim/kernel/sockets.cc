// What replaces libc's sockets and descriptors that one waits for.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <optional>

#include "tests/sim/kernel/kernel.h"
#include "tests/sim/kernel/network.h"
#include "tests/sim/kernel/real.h"

namespace {

using namespace tesela::sim;  // NOLINT: the kernel's own file

int fail(int error) {
  errno = error;
  return -1;
}

std::shared_ptr<Handle> handle_of(int fd) {
  return Kernel::active() == nullptr ? nullptr : Network::get().find(fd);
}
std::shared_ptr<Socket> socket_of(int fd) {
  return std::dynamic_pointer_cast<Socket>(handle_of(fd));
}

Address address_of(const sockaddr* address) {
  if (address->sa_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, address, sizeof six);
    std::uint32_t ip = 0;
    std::memcpy(&ip, six.sin6_addr.s6_addr + 12, sizeof ip);
    return {ntohl(ip), ntohs(six.sin6_port)};
  }
  sockaddr_in four{};
  std::memcpy(&four, address, sizeof four);
  return {ntohl(four.sin_addr.s_addr), ntohs(four.sin_port)};
}

int write_address(int family, Address address, sockaddr* out, socklen_t* size) {
  if (out == nullptr || size == nullptr) return 0;
  if (family == AF_INET6) {
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(address.port);
    six.sin6_addr.s6_addr[10] = 0xff;
    six.sin6_addr.s6_addr[11] = 0xff;
    const std::uint32_t ip = htonl(address.ip);
    std::memcpy(six.sin6_addr.s6_addr + 12, &ip, sizeof ip);
    std::memcpy(out, &six, std::min<std::size_t>(*size, sizeof six));
    *size = sizeof six;
    return 0;
  }
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(address.port);
  four.sin_addr.s_addr = htonl(address.ip);
  std::memcpy(out, &four, std::min<std::size_t>(*size, sizeof four));
  *size = sizeof four;
  return 0;
}

/// Waits until the handle is ready for one of `events`; false when it must not wait.
bool await_ready(Handle& handle, std::uint32_t events, int flags) {
  while ((handle.ready() & (events | EPOLLERR | EPOLLHUP)) == 0) {
    if (!handle.waits || (flags & MSG_DONTWAIT) != 0) return false;
    Kernel::active()->wait(&handle);
  }
  return true;
}

ssize_t take_error(Socket& socket, int instead) {
  const int error = std::exchange(socket.error, 0);
  return error != 0 ? fail(error) : instead;
}

ssize_t receive(const std::shared_ptr<Socket>& socket, const iovec* pieces, std::size_t count,
                int flags) {
  if (!await_ready(*socket, EPOLLIN, flags)) return fail(EAGAIN);
  ssize_t size = 0;
  const bool peeks = (flags & MSG_PEEK) != 0;
  std::size_t at = socket->read;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t part = std::min(pieces[i].iov_len, socket->received.size() - at);
    std::memcpy(pieces[i].iov_base, socket->received.data() + at, part);
    at += part;
    size += static_cast<ssize_t>(part);
  }
  if (size == 0) {
    if (socket->end_received) return 0;
    return take_error(*socket, 0);
  }
  if (peeks) return size;
  socket->read = at;
  const auto peer = socket->peer.lock();
  if (peer && peer->wants_room && peer->room() >= peer->send_max / 3) {
    peer->wants_room = false;
    peer->changed();
  }
  return size;
}

ssize_t transmit(const std::shared_ptr<Socket>& socket, const iovec* pieces, std::size_t count,
                 int flags) {
  if (socket->state == Socket::State::kConnecting) return fail(EAGAIN);
  if (!await_ready(*socket, EPOLLOUT, flags)) {
    socket->wants_room = true;
    return fail(EAGAIN);
  }
  if (socket->state != Socket::State::kConnected || socket->end_sent) {
    return take_error(*socket, fail(EPIPE));
  }
  std::string bytes;
  std::size_t room = socket->room();
  for (std::size_t i = 0; i < count && room > 0; ++i) {
    const std::size_t part = std::min(pieces[i].iov_len, room);
    bytes.append(static_cast<const char*>(pieces[i].iov_base), part);
    room -= part;
    if (part < pieces[i].iov_len) socket->wants_room = true;
  }
  return bytes.empty() ? 0 : Network::get().transmit(socket, std::move(bytes));
}

ssize_t read_handle(const std::shared_ptr<Handle>& handle, const iovec* pieces, std::size_t count,
                    int flags) {
  if (const auto socket = std::dynamic_pointer_cast<Socket>(handle)) {
    return receive(socket, pieces, count, flags);
  }
  auto* const counter = dynamic_cast<EventCounter*>(handle.get());
  if (counter == nullptr) return fail(EINVAL);
  if (!await_ready(*counter, EPOLLIN, flags)) return fail(EAGAIN);
  const std::uint64_t value = counter->one_by_one ? 1 : counter->count;
  counter->count -= value;
  std::memcpy(pieces[0].iov_base, &value, sizeof value);
  return sizeof value;
}

ssize_t write_handle(const std::shared_ptr<Handle>& handle, const iovec* pieces, std::size_t count,
                     int flags) {
  if (const auto socket = std::dynamic_pointer_cast<Socket>(handle)) {
    return transmit(socket, pieces, count, flags);
  }
  auto* const counter = dynamic_cast<EventCounter*>(handle.get());
  if (counter == nullptr) return fail(EINVAL);
  std::uint64_t value = 0;
  std::memcpy(&value, pieces[0].iov_base, sizeof value);
  counter->count += value;
  counter->changed();
  return sizeof value;
}

int accept_at(int fd, sockaddr* address, socklen_t* size, int flags) {
  const auto listener = socket_of(fd);
  if (!await_ready(*listener, EPOLLIN, 0)) return fail(EAGAIN);
  if (listener->accepted.empty()) return fail(EINVAL);
  const auto socket = listener->accepted.front();
  listener->accepted.pop_front();
  socket->waits = (flags & SOCK_NONBLOCK) == 0;
  write_address(socket->family, socket->remote, address, size);
  return Network::get().add(socket);
}

}  // namespace

#define HANDLE_OR(FD, ...)           \
  const auto handle = handle_of(FD); \
  if (!handle) return __VA_ARGS__
#define SOCKET_OR(FD, ...)           \
  const auto socket = socket_of(FD); \
  if (!socket) return __VA_ARGS__

extern "C" {

int socket(int family, int type, int protocol) noexcept {
  const bool ours = Kernel::active() != nullptr && (family == AF_INET || family == AF_INET6) &&
                    (type & 0xf) == SOCK_STREAM;
  if (!ours) return REAL(socket, family, type, protocol);
  auto made = std::make_shared<Socket>();
  made->family = family;
  made->waits = (type & SOCK_NONBLOCK) == 0;
  return Network::get().add(std::move(made));
}

int socketpair(int family, int type, int protocol, int* fds) noexcept {
  if (Kernel::active() == nullptr) return REAL(socketpair, family, type, protocol, fds);
  std::array<std::shared_ptr<Socket>, 2> ends;
  for (auto& end : ends) {
    end = std::make_shared<Socket>();
    end->family = family;
    end->waits = (type & SOCK_NONBLOCK) == 0;
    end->state = Socket::State::kConnected;
    end->peer_node = &Kernel::active()->node();
  }
  ends[0]->peer = ends[1];
  ends[1]->peer = ends[0];
  for (std::size_t i = 0; i < 2; ++i) fds[i] = Network::get().add(ends[i]);
  return 0;
}

int bind(int fd, const sockaddr* address, socklen_t size) noexcept {
  SOCKET_OR(fd, REAL(bind, fd, address, size));
  const int error = Network::get().bind(*socket, address_of(address));
  return error == 0 ? 0 : fail(error);
}

int listen(int fd, int backlog) noexcept {
  SOCKET_OR(fd, REAL(listen, fd, backlog));
  return Network::get().listen(socket);
}

int accept(int fd, sockaddr* address, socklen_t* size) {
  SOCKET_OR(fd, REAL(accept, fd, address, size));
  return accept_at(fd, address, size, 0);
}

int accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
  SOCKET_OR(fd, REAL(accept4, fd, address, size, flags));
  return accept_at(fd, address, size, flags);
}

int connect(int fd, const sockaddr* address, socklen_t size) {
  SOCKET_OR(fd, REAL(connect, fd, address, size));
  if (socket->state == Socket::State::kConnected) return fail(EISCONN);
  if (socket->state == Socket::State::kConnecting) return fail(EALREADY);
  const int error = Network::get().connect(socket, address_of(address));
  if (error != EINPROGRESS || !socket->waits) return fail(error);
  while (socket->state == Socket::State::kConnecting) Kernel::active()->wait(socket.get());
  return socket->error == 0 ? 0 : fail(std::exchange(socket->error, 0));
}

int getsockname(int fd, sockaddr* address, socklen_t* size) noexcept {
  SOCKET_OR(fd, REAL(getsockname, fd, address, size));
  return write_address(socket->family, socket->local, address, size);
}

int getpeername(int fd, sockaddr* address, socklen_t* size) noexcept {
  SOCKET_OR(fd, REAL(getpeername, fd, address, size));
  if (socket->state != Socket::State::kConnected) return fail(ENOTCONN);
  return write_address(socket->family, socket->remote, address, size);
}

int setsockopt(int fd, int level, int name, const void* value, socklen_t size) noexcept {
  SOCKET_OR(fd, REAL(setsockopt, fd, level, name, value, size));
  if (level == IPPROTO_TCP && name == TCP_INQ) return fail(ENOPROTOOPT);
  int number = 0;
  if (size == sizeof number) std::memcpy(&number, value, sizeof number);
  if (level == SOL_SOCKET && name == SO_SNDBUF) {
    socket->send_max = std::max(2048U, static_cast<unsigned>(number)) + 64 * 1024;
  }
  return 0;
}

int getsockopt(int fd, int level, int name, void* value, socklen_t* size) noexcept {
  SOCKET_OR(fd, REAL(getsockopt, fd, level, name, value, size));
  if (level == IPPROTO_TCP && name == TCP_INFO) {
    tcp_info info{};
    if (socket->state != Socket::State::kConnected) return fail(ENOTCONN);
    const Nanos cut = std::min(Network::get().line(*socket->peer_node, *socket->node).cut_since,
                               Network::get().line(*socket->node, *socket->peer_node).cut_since);
    const Nanos now = Kernel::active()->now();
    // A living end answers the probes.
    const Nanos silent = cut == kNever ? 0 : std::min(now - cut, now - socket->last_heard);
    info.tcpi_last_ack_recv = static_cast<std::uint32_t>(silent / kMillisecond);
    info.tcpi_last_data_recv = info.tcpi_last_ack_recv;
    std::memcpy(value, &info, std::min<std::size_t>(*size, sizeof info));
    return 0;
  }
  int number = 0;
  if (level == SOL_SOCKET && name == SO_ERROR) number = std::exchange(socket->error, 0);
  if (level == SOL_SOCKET && name == SO_TYPE) number = SOCK_STREAM;
  if (level == SOL_SOCKET && name == SO_DOMAIN) number = socket->family;
  if (level == SOL_SOCKET && name == SO_SNDBUF) number = static_cast<int>(socket->send_max);
  if (level == SOL_SOCKET && name == SO_ACCEPTCONN) {
    number = socket->state == Socket::State::kListening ? 1 : 0;
  }
  std::memcpy(value, &number, std::min<std::size_t>(*size, sizeof number));
  *size = sizeof number;
  return 0;
}

int shutdown(int fd, int how) noexcept {
  SOCKET_OR(fd, REAL(shutdown, fd, how));
  if (socket->state != Socket::State::kConnected) return fail(ENOTCONN);
  if (how != SHUT_RD && !socket->end_sent) {
    socket->end_sent = true;
    Network::get().send(*socket, *socket->peer_node, [other = socket->peer] {
      const auto there = other.lock();
      if (!there) return;
      there->end_received = true;
      there->changed();
    });
  }
  if (how != SHUT_WR) {
    socket->end_received = true;
    socket->changed();
  }
  return 0;
}

int close(int fd) {
  HANDLE_OR(fd, REAL(close, fd));
  Network::get().remove(fd);
  return 0;
}

ssize_t read(int fd, void* into, size_t size) {
  HANDLE_OR(fd, REAL(read, fd, into, size));
  const iovec piece{into, size};
  return read_handle(handle, &piece, 1, 0);
}
ssize_t __read_chk(int fd, void* into, size_t size, size_t /*room*/) {
  return read(fd, into, size);
}

ssize_t write(int fd, const void* from, size_t size) {
  HANDLE_OR(fd, REAL(write, fd, from, size));
  const iovec piece{const_cast<void*>(from), size};
  return write_handle(handle, &piece, 1, 0);
}

ssize_t readv(int fd, const iovec* pieces, int count) {
  HANDLE_OR(fd, REAL(readv, fd, pieces, count));
  return read_handle(handle, pieces, static_cast<std::size_t>(count), 0);
}

ssize_t writev(int fd, const iovec* pieces, int count) {
  HANDLE_OR(fd, REAL(writev, fd, pieces, count));
  return write_handle(handle, pieces, static_cast<std::size_t>(count), 0);
}

ssize_t recv(int fd, void* into, size_t size, int flags) {
  SOCKET_OR(fd, REAL(recv, fd, into, size, flags));
  const iovec piece{into, size};
  return receive(socket, &piece, 1, flags);
}
ssize_t __recv_chk(int fd, void* into, size_t size, size_t /*room*/, int flags) {
  return recv(fd, into, size, flags);
}

ssize_t recvmsg(int fd, msghdr* message, int flags) {
  SOCKET_OR(fd, REAL(recvmsg, fd, message, flags));
  message->msg_controllen = 0;
  message->msg_flags = 0;
  return receive(socket, message->msg_iov, message->msg_iovlen, flags);
}

ssize_t send(int fd, const void* from, size_t size, int flags) {
  SOCKET_OR(fd, REAL(send, fd, from, size, flags));
  const iovec piece{const_cast<void*>(from), size};
  return transmit(socket, &piece, 1, flags);
}

ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  SOCKET_OR(fd, REAL(sendmsg, fd, message, flags));
  return transmit(socket, message->msg_iov, message->msg_iovlen, flags);
}

}  // extern "C"
