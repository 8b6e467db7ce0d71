// The servers that share a database, as it knows them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/store/only_life.h"
#include "server/store/ownership.h"

namespace tesela::store {

/// One life. All times are of the database's clock.
struct NodeRow {
  LifeId life;
  std::string address;  // as in Elsewhere
  bool alive{};         // it was not declared dead; its lease may be over
  /// Since its lease was renewed last; of a living one.
  std::optional<std::chrono::milliseconds> lease_age{};
  /// Since its lease ended; of a dead one.
  std::optional<std::chrono::milliseconds> dead_for{};
  std::optional<std::uint64_t> tables{};  // that it owns; empty: the database does not say
  std::vector<Duty> duties{};

  friend bool operator==(const NodeRow&, const NodeRow&) = default;
};

/// Threading as in EventLog.
class Nodes {
 public:
  virtual ~Nodes() = default;

  /// At most `max` lives: first those that are alive, by their addresses, then the dead, the last
  /// one first. Lives that were forgotten (limits::kDeadLivesKept) are missing. Errors:
  /// kUnavailable, kCorrupt.
  virtual boost::asio::awaitable<Expected<std::vector<NodeRow>>> nodes(std::size_t max) = 0;
};

/// Of a store that one server uses at a time. Any thread.
class OnlyNode final : public Nodes {
 public:
  boost::asio::awaitable<Expected<std::vector<NodeRow>>> nodes(std::size_t /*max*/) override {
    NodeRow only{.life = kOnlyLife, .address = {}, .alive = true};
    only.duties = {Duty::kSweep, Duty::kMatch};
    std::vector<NodeRow> all;
    all.push_back(std::move(only));
    co_return std::move(all);
  }
};

}  // namespace tesela::store
