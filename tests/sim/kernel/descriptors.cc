// What replaces libc's ways to wait for several descriptors, and descriptors that are no sockets.
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

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

std::uint32_t polled(short events) {
  return ((events & POLLIN) != 0 ? EPOLLIN : 0U) | ((events & POLLOUT) != 0 ? EPOLLOUT : 0U);
}

int poll_all(Kernel& kernel, pollfd* fds, nfds_t count, Nanos until) {
  for (;;) {
    int found = 0;
    for (nfds_t i = 0; i < count; ++i) {
      fds[i].revents = 0;
      const auto handle = handle_of(fds[i].fd);
      if (!handle) {
        // A real one is asked at once.
        REAL(poll, fds + i, 1, 0);
      } else {
        const std::uint32_t ready = handle->ready() & (polled(fds[i].events) | EPOLLERR | EPOLLHUP);
        fds[i].revents = static_cast<short>(ready);
      }
      if (fds[i].revents != 0) ++found;
    }
    if (found > 0 || until <= kernel.now()) return found;
    kernel.wait(&Network::get(), until);
  }
}

Nanos after_ms(Kernel& kernel, int ms) {
  return ms < 0 ? kNever : kernel.now() + ms * kMillisecond;
}

}  // namespace

#define HANDLE_OR(FD, ...)           \
  const auto handle = handle_of(FD); \
  if (!handle) return __VA_ARGS__

extern "C" {

int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  const long argument = va_arg(list, long);
  va_end(list);
  HANDLE_OR(fd, REAL(fcntl, fd, command, argument));
  if (command == F_GETFL) return O_RDWR | (handle->waits ? 0 : O_NONBLOCK);
  if (command == F_SETFL) handle->waits = (argument & O_NONBLOCK) == 0;
  return 0;
}
int fcntl64(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  const long argument = va_arg(list, long);
  va_end(list);
  return fcntl(fd, command, argument);
}

int ioctl(int fd, unsigned long request, ...) noexcept {
  va_list list;
  va_start(list, request);
  void* const argument = va_arg(list, void*);
  va_end(list);
  HANDLE_OR(fd, REAL(ioctl, fd, request, argument));
  if (request == FIONBIO) handle->waits = *static_cast<int*>(argument) == 0;
  if (request == FIONREAD) {
    const auto socket = std::dynamic_pointer_cast<Socket>(handle);
    *static_cast<int*>(argument) = socket ? static_cast<int>(socket->unread()) : 0;
  }
  return 0;
}

int poll(pollfd* fds, nfds_t count, int ms) {
  Kernel* const kernel = Kernel::active();
  if (kernel == nullptr) return REAL(poll, fds, count, ms);
  return poll_all(*kernel, fds, count, after_ms(*kernel, ms));
}
int __poll_chk(pollfd* fds, nfds_t count, int ms, size_t /*room*/) {
  return poll(fds, count, ms);
}

int eventfd(unsigned int initial, int flags) noexcept {
  if (Kernel::active() == nullptr) return REAL(eventfd, initial, flags);
  auto counter = std::make_shared<EventCounter>();
  counter->count = initial;
  counter->waits = (flags & EFD_NONBLOCK) == 0;
  counter->one_by_one = (flags & EFD_SEMAPHORE) != 0;
  return Network::get().add(std::move(counter));
}
int eventfd_read(int fd, eventfd_t* value) {
  return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}
int eventfd_write(int fd, eventfd_t value) {
  return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

// Asio then gives its time to epoll_wait.
int timerfd_create(clockid_t clock, int flags) noexcept {
  if (Kernel::active() == nullptr) return REAL(timerfd_create, clock, flags);
  return fail(EINVAL);
}

int epoll_create1(int flags) noexcept {
  if (Kernel::active() == nullptr) return REAL(epoll_create1, flags);
  return Network::get().add(std::make_shared<Epoll>());
}
int epoll_create(int size) noexcept {
  if (Kernel::active() == nullptr) return REAL(epoll_create, size);
  return epoll_create1(0);
}

int epoll_ctl(int fd, int operation, int of, epoll_event* event) noexcept {
  HANDLE_OR(fd, REAL(epoll_ctl, fd, operation, of, event));
  const auto epoll = std::dynamic_pointer_cast<Epoll>(handle);
  const auto watched = handle_of(of);
  if (!watched) return fail(EPERM);
  const auto found = epoll->interests.find(of);
  if (operation == EPOLL_CTL_DEL) {
    if (found == epoll->interests.end()) return fail(ENOENT);
    epoll->interests.erase(found);
    std::erase_if(watched->watchers, [&](const auto& watcher) {
      return watcher.second == of && watcher.first.lock() == epoll;
    });
    return 0;
  }
  if (operation == EPOLL_CTL_ADD) {
    if (found != epoll->interests.end()) return fail(EEXIST);
    epoll->interests[of] = {.handle = watched, .event = *event, .queued = false};
    watched->watchers.emplace_back(epoll, of);
  } else {
    if (found == epoll->interests.end()) return fail(ENOENT);
    found->second.event = *event;
  }
  epoll->enqueue(of);
  return 0;
}

int epoll_wait(int fd, epoll_event* events, int max, int ms) {
  HANDLE_OR(fd, REAL(epoll_wait, fd, events, max, ms));
  Kernel* const kernel = Kernel::active();
  const auto epoll = std::dynamic_pointer_cast<Epoll>(handle);
  const Nanos until = after_ms(*kernel, ms);
  for (;;) {
    const int count = epoll->take(events, max);
    if (count > 0 || until <= kernel->now()) return count;
    kernel->wait(epoll.get(), until);
  }
}

// How much memory is resident follows from what else the real machine does; an operator is told it.
FILE* fopen64(const char* name, const char* mode) {
  if (Kernel::active() == nullptr || std::string_view(name) != "/proc/self/statm") {
    return REAL(fopen64, name, mode);
  }
  errno = ENOENT;
  return nullptr;
}

}  // extern "C"
