// The claims of this server on tables.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/store/life.h"
#include "server/store/ownership.h"

namespace tesela::directory {

/// Any thread.
class TableClaims {
 public:
  /// Both outlive it.
  TableClaims(store::Ownership& ownership, const store::Life& life)
      : ownership_(ownership), life_(life) {}

  /// Takes a table for this server, under the epoch that is returned. Errors: kUnavailable when it
  /// is another server's (`is_elsewhere`) or when that is unknown, and those of
  /// store::Ownership::claim but kInternal.
  boost::asio::awaitable<Expected<Epoch>> claim(TableId table);
  /// Gives a table up that is not used any more. If that fails, the table stays this server's until
  /// it is claimed and given up again, or the server ends.
  boost::asio::awaitable<void> release(TableId table, Epoch epoch);
  /// Gives tables up likewise. Tables of a dead life are free already. Errors: those of
  /// store::Ownership::release.
  boost::asio::awaitable<Expected<void>> release(std::vector<store::OwnedTable> tables);
  /// Gives one up on `loop`, without waiting for it.
  void release_later(base::Loop& loop, TableId table, Epoch epoch);

  /// Whether `claim` was refused because the table is another server's.
  [[nodiscard]] static bool is_elsewhere(const Error& error);

 private:
  store::Ownership& ownership_;
  const store::Life& life_;
};

}  // namespace tesela::directory
