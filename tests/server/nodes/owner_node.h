// A server that others relay streams to: the real node port, and a handler that answers by script.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <utility>
#include <vector>

#include "server/base/io_pool.h"
#include "server/metrics/metrics.h"
#include "server/nodes/node_port.h"
#include "server/quota/admission_control.h"
#include "server/rpc/method.h"
#include "server/store/only_life.h"
#include "tests/server/store/switched_life.h"

namespace tesela::nodes {

inline constexpr const char* kProof = "the proof of the servers";

/// Says of every table that it is the only life's, or nobody's.
class AllOrNone final : public store::DutiesAlone {
 public:
  boost::asio::awaitable<Expected<std::optional<store::Owner>>> owner(TableId /*table*/) override {
    std::optional<store::Owner> owner;
    if (all) owner = store::Owner{.life = store::kOnlyLife, .address = {}};
    co_return owner;
  }

  std::atomic<bool> all{true};
};

class OwnerNode {
 public:
  /// Answers relayed streams with `answer`, and keeps their connections; calls about tables by
  /// `methods`, calls of servers by `node_methods`, and others by `leader_methods` while it leads.
  explicit OwnerNode(std::string answer = "HTTP/1.1 101 Owner\r\n\r\n",
                     quota::AdmissionControl::Options limits = {},
                     std::vector<rpc::Method> methods = {},
                     std::vector<rpc::Method> node_methods = {},
                     std::vector<rpc::Method> leader_methods = {})
      : answer_(std::move(answer)),
        clients_(std::move(limits), metrics),
        methods_(std::move(methods)),
        node_methods_(std::move(node_methods)),
        leader_methods_(std::move(leader_methods)) {
    io_.run();
    port_.start();
  }
  explicit OwnerNode(std::vector<rpc::Method> methods) : OwnerNode({}, {}, std::move(methods)) {}
  ~OwnerNode() {
    {
      // The last stream may just be kept: its client has the answer already.
      const std::scoped_lock lock(mutex_);
      streams_.clear();
    }
    stop(std::chrono::seconds{0});
    io_.stop();
    io_.join();
  }
  OwnerNode(const OwnerNode&) = delete;
  OwnerNode& operator=(const OwnerNode&) = delete;

  void stop(std::chrono::milliseconds grace) {
    if (std::exchange(stopped_, true)) return;
    boost::asio::co_spawn(io_.any(), port_.stop(grace), boost::asio::use_future).get();
  }

  [[nodiscard]] NodeAddress address() const { return {"127.0.0.1", port_.port()}; }

  /// What came with the next stream, and its connection, blocking.
  struct Stream {
    UpgradeRequest request;
    net::Client client;
    boost::asio::ip::tcp::socket socket;
  };
  /// The stream that has come, or will come, next.
  Stream& next() {
    came_.acquire();
    const std::scoped_lock lock(mutex_);
    return streams_[taken_++];
  }

  metrics::Metrics metrics;
  AllOrNone owns;  // whether it has every table
  store::SwitchedLife life;
  std::atomic<bool> leads{true};

 private:
  void take(net::Transport transport, UpgradeRequest request, net::Client client) {
    Stream stream{std::move(request), std::move(client), transport.tcp().release_socket()};
    boost::system::error_code ignored;
    stream.socket.native_non_blocking(false, ignored);
    boost::asio::write(stream.socket, boost::asio::buffer(answer_), ignored);
    const std::scoped_lock lock(mutex_);
    streams_.push_back(std::move(stream));
    came_.release();
  }

  const std::string answer_;
  base::IoPool io_{1};
  quota::AdmissionControl clients_;
  std::vector<rpc::Method> methods_;
  std::vector<rpc::Method> node_methods_;
  std::vector<rpc::Method> leader_methods_;
  bool stopped_ = false;
  std::counting_semaphore<> came_{0};
  std::mutex mutex_;
  std::deque<Stream> streams_;
  std::size_t taken_ = 0;
  NodePort port_{{.at = {"127.0.0.1", 0},
                  .io = io_,
                  .connections_max = 10,
                  .clients = clients_,
                  .upgrade = [this](auto... stream) { take(std::move(stream)...); },
                  .relays = {.ownership = owns, .life = life, .metrics = metrics, .proof = kProof},
                  .methods = methods_,
                  .node_methods = node_methods_,
                  .leader_methods = leader_methods_,
                  .leads = [this] { return leads.load(); }}};
};

}  // namespace tesela::nodes
