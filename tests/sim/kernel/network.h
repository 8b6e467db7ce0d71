// The network between the machines of a simulation, and the other things that have a descriptor.
#pragma once

#include <sys/epoll.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/sim/kernel/kernel.h"

namespace tesela::sim {

class Epoll;

/// What a descriptor of the simulation stands for.
class Handle : public std::enable_shared_from_this<Handle> {
 public:
  virtual ~Handle() = default;

  /// EPOLLIN and so on, as of now.
  [[nodiscard]] virtual std::uint32_t ready() const = 0;
  virtual void closed() {}
  /// Something has happened to it: an edge for those that wait.
  void changed();

  Node* node{};
  bool waits{true};  // O_NONBLOCK is not set
  std::vector<std::pair<std::weak_ptr<Epoll>, int>> watchers;
};

class EventCounter final : public Handle {
 public:
  [[nodiscard]] std::uint32_t ready() const override {
    return EPOLLOUT | (count > 0 ? EPOLLIN : 0U);
  }
  std::uint64_t count{};
  bool one_by_one{};  // EFD_SEMAPHORE
};

class Epoll final : public Handle {
 public:
  struct Interest {
    std::weak_ptr<Handle> handle;
    epoll_event event{};
    bool queued{};
  };

  [[nodiscard]] std::uint32_t ready() const override { return queue.empty() ? 0U : EPOLLIN; }
  void enqueue(int fd);
  int take(epoll_event* events, int max);

  std::map<int, Interest> interests;
  std::deque<int> queue;
};

struct Address {
  std::uint32_t ip{};
  std::uint16_t port{};

  friend auto operator<=>(const Address&, const Address&) = default;
};

/// The address of a machine: 10.0.0.NUMBER. 127.0.0.1 is the machine itself.
[[nodiscard]] std::uint32_t ip_of(const Node& node);

/// An end of a connection, or a listener.
class Socket final : public Handle {
 public:
  enum class State : std::uint8_t { kNew, kListening, kConnecting, kConnected, kBroken };

  [[nodiscard]] std::uint32_t ready() const override;
  void closed() override;
  [[nodiscard]] std::size_t unread() const { return received.size() - read; }
  [[nodiscard]] std::size_t room() const;
  /// The connection has ended by `error`, without a word to the other end.
  void break_off(int error);

  int family{};
  State state{State::kNew};
  Address local{};
  Address remote{};
  std::weak_ptr<Socket> peer;
  Node* peer_node{};
  std::string received;
  std::size_t read{};   // of it
  bool end_received{};  // FIN
  bool end_sent{};
  bool was_closed{};
  int error{};               // until SO_ERROR or an operation takes it
  std::size_t on_the_way{};  // bytes sent that have not arrived
  std::size_t send_max{128 * 1024};
  bool wants_room{};
  Nanos next_arrival{};  // at the other end: in order
  Nanos last_heard{};
  std::deque<std::shared_ptr<Socket>> accepted;  // of a listener
};

/// The line from one machine to another.
struct Line {
  Nanos delay{50 * kMicrosecond};
  Nanos jitter{100 * kMicrosecond};
  Nanos cut_since{kNever};  // nothing arrives any more; what is sent arrives when it heals
  std::vector<std::move_only_function<void()>> held;

  [[nodiscard]] bool cut() const { return cut_since != kNever; }
};

class Network {
 public:
  /// The network of the active kernel.
  [[nodiscard]] static Network& get();

  /// What balances the connections of clients: an address, in front of machines that listen.
  static constexpr std::uint32_t kBalancer = (10U << 24U) | (255U << 16U) | 1U;
  std::vector<Node*> balanced;

  [[nodiscard]] Line& line(const Node& from, const Node& to);
  void cut(const Node& from, const Node& to);
  void heal(const Node& from, const Node& to);
  /// Ends all connections between two machines, with a reset at both ends.
  void reset(const Node& one, const Node& other);
  /// Ends all connections of a machine, with a reset to the other ends, and all its descriptors.
  void kill(const Node& node);

  /// The sockets that a machine has open.
  [[nodiscard]] std::size_t sockets_of(const Node& node) const;

  [[nodiscard]] std::shared_ptr<Handle> find(int fd) const;
  template <class Kind>
  [[nodiscard]] std::shared_ptr<Kind> find_as(int fd) const {
    return std::dynamic_pointer_cast<Kind>(find(fd));
  }
  /// A descriptor for it.
  int add(std::shared_ptr<Handle> handle);
  void remove(int fd);

  int bind(Socket& socket, Address address);
  int listen(const std::shared_ptr<Socket>& socket);
  int connect(const std::shared_ptr<Socket>& socket, Address to);
  /// Runs `arrival` at the other machine when the line has brought it there, in order with what the
  /// socket has sent before.
  void send(Socket& from, const Node& to, std::move_only_function<void()> arrival);
  void reset_peer(Socket& socket);
  long transmit(const std::shared_ptr<Socket>& socket, std::string bytes);

 private:
  [[nodiscard]] std::shared_ptr<Socket> listener_at(const Node& node, std::uint16_t port) const;

  std::map<int, std::shared_ptr<Handle>> handles_;
  std::map<Address, std::weak_ptr<Socket>> listeners_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Line> lines_;
  std::uint16_t next_port_{20'000};
};

}  // namespace tesela::sim
