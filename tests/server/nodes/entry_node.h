// A server where clients come in: the real HTTP port and relays, with owners by script.
#pragma once

#include <algorithm>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/metrics/metrics.h"
#include "server/nodes/relays.h"
#include "tests/server/net/http/http_server.h"
#include "tests/server/nodes/owner_node.h"
#include "tests/server/store/switched_life.h"

namespace tesela::nodes {

/// Says one owner after the other, and the last one for ever.
class ScriptedOwners final : public store::DutiesAlone {
 public:
  explicit ScriptedOwners(std::vector<std::optional<store::Owner>> owners)
      : owners_(std::move(owners)) {}

  boost::asio::awaitable<Expected<std::optional<store::Owner>>> owner(TableId /*table*/) override {
    const std::scoped_lock lock(mutex_);
    const std::size_t at = std::min(looked_++, owners_.size() - 1);
    co_return owners_[at];
  }
  /// How often somebody has asked.
  [[nodiscard]] std::size_t looked() {
    const std::scoped_lock lock(mutex_);
    return looked_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::optional<store::Owner>> owners_;
  std::size_t looked_ = 0;
};

/// Another life, at a node.
inline store::Owner at(const NodeAddress& node, store::LifeId life = store::LifeId{2}) {
  return {.life = life, .address = to_text(node)};
}

/// Answers "HTTP/1.1 200 Here" to a stream that is not relayed.
class EntryNode {
 public:
  explicit EntryNode(std::vector<std::optional<store::Owner>> script, std::string proof = kProof)
      : owners(std::move(script)),
        relays(
            {.ownership = owners, .life = life_, .metrics = metrics, .proof = std::move(proof)}) {
    server_.upgrade = [this](net::Transport transport, UpgradeRequest request, net::Client client) {
      base::Loop& loop = server_.io.at(0);
      Arrival arrival{std::move(transport), std::move(request), std::move(client)};
      ++open_;
      loop.spawn(pass(loop, std::move(arrival)), [this](const std::exception_ptr&) {
        --open_;
        open_.notify_all();
      });
    };
    server_.start();
  }
  /// What a stream has taken is given back to parts of the server.
  ~EntryNode() {
    relays.stop();
    for (int open = open_; open > 0; open = open_) open_.wait(open);
  }
  EntryNode(const EntryNode&) = delete;
  EntryNode& operator=(const EntryNode&) = delete;

  [[nodiscard]] std::uint16_t port() const { return server_.port(); }
  [[nodiscard]] double count(std::string_view outcome) { return metrics.relays(outcome).Value(); }

 private:
  boost::asio::awaitable<void> pass(base::Loop& loop, Arrival arrival) {
    const bool relayed = co_await relays.pass_on(loop, arrival, TableId{7});
    if (relayed) co_return;
    boost::asio::ip::tcp::socket socket = arrival.transport.tcp().release_socket();
    boost::system::error_code ignored;
    boost::asio::write(socket, boost::asio::buffer(kHere), ignored);
  }

  static constexpr std::string_view kHere = "HTTP/1.1 200 Here\r\n\r\n";

  store::SwitchedLife life_;
  std::atomic<int> open_{0};  // streams

 public:
  metrics::Metrics metrics;
  ScriptedOwners owners;
  Relays relays;

 private:
  net::HttpServer server_;  // the last: its threads use what stands above
};

}  // namespace tesela::nodes
