// The snapshots of a store that keeps none: the PostgreSQL backend keeps no snapshots yet.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "server/store/snapshots.h"

namespace tesela::store {

/// Writes nothing and finds none, so that a log is executed from its beginning. Any thread.
class NoSnapshots : public Snapshots {
 public:
  void write(TableId /*table*/, SnapshotRow /*row*/) override {}
  void thin_out(TableId /*table*/, std::uint64_t /*versions*/) override {}
  boost::asio::awaitable<Expected<std::optional<SnapshotRow>>> newest_snapshot(
      TableId /*table*/, Version /*until*/) override {
    co_return std::optional<SnapshotRow>{};
  }
  boost::asio::awaitable<Expected<std::vector<SnapshotRow>>> snapshot_marks(
      TableId /*table*/, Version /*until*/) override {
    co_return std::vector<SnapshotRow>{};
  }
};

}  // namespace tesela::store
