#include "tests/sim/kernel/network.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "tests/sim/kernel/real.h"

namespace tesela::sim {
namespace {

constexpr std::uint32_t kNet = 10U << 24U;
constexpr std::uint32_t kLoopback = (127U << 24U) | 1U;

Kernel& kernel() {
  return *Kernel::active();
}

}  // namespace

std::uint32_t ip_of(const Node& node) {
  return kNet | node.number;
}

void Handle::changed() {
  for (const auto& [epoll, fd] : watchers) {
    if (const auto there = epoll.lock()) there->enqueue(fd);
  }
  kernel().wake_all(this);
  kernel().wake_all(&Network::get());  // those that poll several
}

void Epoll::enqueue(int fd) {
  const auto found = interests.find(fd);
  if (found == interests.end() || found->second.queued) return;
  const auto handle = found->second.handle.lock();
  if (!handle || (handle->ready() & (found->second.event.events | EPOLLERR | EPOLLHUP)) == 0) {
    return;
  }
  found->second.queued = true;
  queue.push_back(fd);
  kernel().wake_all(this);
  if (queue.size() == 1) changed();
}

int Epoll::take(epoll_event* events, int max) {
  int count = 0;
  for (std::size_t left = queue.size(); left > 0 && count < max; --left) {
    const int fd = queue.front();
    queue.pop_front();
    const auto found = interests.find(fd);
    if (found == interests.end()) continue;
    Interest& interest = found->second;
    interest.queued = false;
    const auto handle = interest.handle.lock();
    if (!handle) continue;
    const std::uint32_t ready = handle->ready() & (interest.event.events | EPOLLERR | EPOLLHUP);
    if (ready == 0) continue;
    events[count] = interest.event;
    events[count++].events = ready;
    if ((interest.event.events & EPOLLONESHOT) != 0) interest.event.events = 0;
    if ((interest.event.events & EPOLLET) == 0) {
      interest.queued = true;
      queue.push_back(fd);
    }
  }
  return count;
}

std::uint32_t Socket::ready() const {
  if (state == State::kListening) return accepted.empty() ? 0U : EPOLLIN;
  if (state == State::kNew) return EPOLLOUT | EPOLLHUP;
  if (state == State::kConnecting) return 0;
  std::uint32_t ready = 0;
  if (state == State::kBroken) {
    ready |= EPOLLIN | EPOLLOUT | EPOLLHUP | EPOLLRDHUP | (error != 0 ? EPOLLERR : 0U);
    return ready;
  }
  if (unread() > 0 || end_received) ready |= EPOLLIN;
  if (end_received) ready |= EPOLLRDHUP;
  if (end_received && end_sent) ready |= EPOLLHUP;
  if (room() > 0) ready |= EPOLLOUT;
  return ready;
}

std::size_t Socket::room() const {
  const auto other = peer.lock();
  const std::size_t used = on_the_way + (other ? other->unread() : 0);
  return used < send_max ? send_max - used : 0;
}

void Socket::break_off(int with) {
  if (state == State::kBroken) return;
  state = State::kBroken;
  error = with;
  changed();
}

void Socket::closed() {
  was_closed = true;
  Network& network = Network::get();
  if (state == State::kListening) {
    for (const auto& waiting : accepted) network.reset_peer(*waiting);
    accepted.clear();
  } else if (state == State::kConnected) {
    if (unread() > 0) {
      network.reset_peer(*this);
    } else if (!end_sent) {
      network.send(*this, *peer_node, [other = peer] {
        const auto there = other.lock();
        if (!there) return;
        there->end_received = true;
        there->changed();
      });
    }
  }
  state = State::kBroken;
}

Network& Network::get() {
  static auto* const network = new Network;
  return *network;
}

Line& Network::line(const Node& from, const Node& to) {
  return lines_[{from.number, to.number}];
}

void Network::cut(const Node& from, const Node& to) {
  Line& between = line(from, to);
  if (!between.cut()) between.cut_since = kernel().now();
}

void Network::heal(const Node& from, const Node& to) {
  Line& between = line(from, to);
  between.cut_since = kNever;
  for (auto& arrival : std::exchange(between.held, {})) {
    kernel().at(kernel().now() + between.delay, std::move(arrival));
  }
}

void Network::kill(const Node& node) {
  std::vector<int> fds;
  for (const auto& [fd, handle] : handles_) {
    if (handle->node == &node) fds.push_back(fd);
  }
  for (const int fd : fds) {
    if (const auto socket = find_as<Socket>(fd)) {
      if (socket->state == Socket::State::kConnected) reset_peer(*socket);
      socket->state = Socket::State::kBroken;
    }
    // The number is not given again: a thread of another machine may still write to it, as those of
    // the database do that bring an answer.
    handles_.erase(fd);
  }
}

void Network::reset(const Node& one, const Node& other) {
  for (const auto& [fd, handle] : handles_) {
    const auto socket = std::dynamic_pointer_cast<Socket>(handle);
    if (!socket || socket->node != &one || socket->peer_node != &other) continue;
    if (socket->state != Socket::State::kConnected) continue;
    reset_peer(*socket);
    socket->break_off(ECONNRESET);
  }
}

std::size_t Network::sockets_of(const Node& node) const {
  return static_cast<std::size_t>(std::ranges::count_if(handles_, [&](const auto& each) {
    return each.second->node == &node && dynamic_cast<const Socket*>(each.second.get()) != nullptr;
  }));
}

std::shared_ptr<Handle> Network::find(int fd) const {
  const auto found = handles_.find(fd);
  return found == handles_.end() ? nullptr : found->second;
}

// A real descriptor keeps the number.
int Network::add(std::shared_ptr<Handle> handle) {
  const int fd = REAL(open, "/dev/null", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fd;
  handle->node = &kernel().node();
  handles_[fd] = std::move(handle);
  return fd;
}

void Network::remove(int fd) {
  const auto found = handles_.find(fd);
  if (found == handles_.end()) return;
  const auto handle = std::move(found->second);
  handles_.erase(found);
  for (const auto& [epoll, number] : handle->watchers) {
    if (const auto there = epoll.lock()) there->interests.erase(number);
  }
  handle->watchers.clear();
  handle->closed();
  REAL(close, fd);
}

std::shared_ptr<Socket> Network::listener_at(const Node& node, std::uint16_t port) const {
  const auto found = listeners_.find({ip_of(node), port});
  if (found == listeners_.end()) return nullptr;
  auto socket = found->second.lock();
  return socket && socket->state == Socket::State::kListening ? socket : nullptr;
}

int Network::bind(Socket& socket, Address address) {
  if (address.port == 0) address.port = next_port_++;
  if (listener_at(*socket.node, address.port)) return EADDRINUSE;
  socket.local = {ip_of(*socket.node), address.port};
  return 0;
}

int Network::listen(const std::shared_ptr<Socket>& socket) {
  if (socket->local.port == 0) bind(*socket, {});
  socket->state = Socket::State::kListening;
  listeners_[socket->local] = socket;
  return 0;
}

int Network::connect(const std::shared_ptr<Socket>& socket, Address to) {
  if (to.ip == kLoopback) to.ip = ip_of(*socket->node);
  if (socket->local.port == 0) bind(*socket, {});
  if (to.ip == kBalancer) {
    std::vector<Node*> there;
    for (Node* node : balanced) {
      const bool reached = !line(*socket->node, *node).cut() && !line(*node, *socket->node).cut();
      if (reached && listener_at(*node, to.port)) there.push_back(node);
    }
    if (!there.empty()) to.ip = ip_of(*there[kernel().draw(there.size())]);
  }
  socket->remote = to;
  socket->state = Socket::State::kConnecting;
  Node* const target = kernel().find_node(to.ip & ~kNet);
  if (target == nullptr || (to.ip & kNet) != kNet) {
    socket->break_off(EHOSTUNREACH);
    return EHOSTUNREACH;
  }
  socket->peer_node = target;
  // A SYN and its answer.
  send(*socket, *target, [this, socket, target, to] {
    const auto listener = listener_at(*target, to.port);
    std::shared_ptr<Socket> accepted;
    if (listener) {
      accepted = std::make_shared<Socket>();
      accepted->node = target;
      accepted->peer_node = socket->node;
      accepted->family = listener->family;
      accepted->state = Socket::State::kConnected;
      accepted->local = to;
      accepted->remote = socket->local;
      accepted->peer = socket;
      listener->accepted.push_back(accepted);
      listener->changed();
    }
    Socket answering;
    answering.node = target;
    send(accepted ? *accepted : answering, *socket->node, [socket, accepted] {
      if (socket->was_closed) {
        if (accepted) accepted->break_off(ECONNRESET);
        return;
      }
      if (!accepted) return socket->break_off(ECONNREFUSED);
      socket->peer = accepted;
      socket->state = Socket::State::kConnected;
      socket->changed();
    });
  });
  return EINPROGRESS;
}

void Network::send(Socket& from, const Node& to, std::move_only_function<void()> arrival) {
  Line& between = line(*from.node, to);
  if (between.cut()) {
    between.held.push_back(std::move(arrival));
    return;
  }
  const auto jitter = static_cast<std::uint64_t>(between.jitter);
  const Nanos drawn = from.node == &to
                          ? 10 * kMicrosecond
                          : between.delay + static_cast<Nanos>(kernel().draw(jitter + 1));
  from.next_arrival = std::max(from.next_arrival, kernel().now() + drawn);
  kernel().at(from.next_arrival,
              [this, from_node = from.node, &to, arrival = std::move(arrival)]() mutable {
                // What was on the way when the line was cut is sent again.
                Line& still = line(*from_node, to);
                if (still.cut()) {
                  still.held.push_back(std::move(arrival));
                } else {
                  arrival();
                }
              });
}

void Network::reset_peer(Socket& socket) {
  const auto other = socket.peer;
  if (socket.peer_node == nullptr) return;
  send(socket, *socket.peer_node, [other] {
    if (const auto there = other.lock()) there->break_off(ECONNRESET);
  });
}

long Network::transmit(const std::shared_ptr<Socket>& socket, std::string bytes) {
  const auto size = static_cast<long>(bytes.size());
  kernel().note(bytes.data(), bytes.size());
  socket->on_the_way += bytes.size();
  // The sender's end may be closed meanwhile.
  send(*socket, *socket->peer_node,
       [sender = socket, other = socket->peer, bytes = std::move(bytes)] {
         sender->on_the_way -= bytes.size();
         const auto there = other.lock();
         if (!there || there->was_closed || there->state != Socket::State::kConnected) {
           if (!sender->was_closed) sender->break_off(ECONNRESET);
           return;
         }
         if (there->read > 0 && there->unread() == 0) {
           there->received.clear();
           there->read = 0;
         }
         there->received += bytes;
         there->last_heard = kernel().now();
         there->changed();
       });
  return size;
}

}  // namespace tesela::sim
