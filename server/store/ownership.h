// Who owns a table, and who has a duty: the claims of the servers that share a database.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"

namespace tesela::store {

/// One run of a server on a database. Random, never 0; at most 2^63 - 1. A life ends once: it is
/// declared dead, and never lives again.
using LifeId = Strong<struct LifeTag, std::uint64_t>;

/// The table is the caller's.
struct Owned {
  Epoch epoch;
  Version version;  // of the newest event; 0: none yet

  friend bool operator==(const Owned&, const Owned&) = default;
};

/// The table is another life's.
struct Elsewhere {
  LifeId life;
  std::string address;  // where its server is reached by the others

  friend bool operator==(const Elsewhere&, const Elsewhere&) = default;
};

/// The life that has a table, or a duty.
struct Owner {
  LifeId life;
  std::string address;  // as in Elsewhere

  friend bool operator==(const Owner&, const Owner&) = default;
};

using Claimed = std::variant<Owned, Elsewhere>;

/// A table and the epoch under which it is owned.
struct OwnedTable {
  TableId table;
  Epoch epoch;
  /// Where it is given up: bots play there, and somebody must go on though no client comes. If
  /// nobody has claimed it after a while, free_orphans returns it.
  bool goes_on = false;
};

/// Whose a table is, and how long its log.
struct TableHead {
  TableId table;
  Epoch epoch;
  Version version;  // of the newest event; 0: none yet

  friend bool operator==(const TableHead&, const TableHead&) = default;
};
using TableHeads = std::vector<TableHead>;

/// What one of the servers does for all of them. Its lease lasts as long as the life that has it.
enum class Duty : std::uint8_t {
  kSweep = 1,  // loads the tables of bots, and closes abandoned tables
  kMatch = 2,  // makes tables of searches
};

/// Threading as in EventLog.
class Ownership {
 public:
  virtual ~Ownership() = default;

  /// Takes a table for `life` if it is nobody's, that life's own, or a dead life's: raises its
  /// epoch, so that appends of earlier owners are refused. Durable when it returns. Errors:
  /// kNotFound (no such table), kFenced (`life` was declared dead), kUnavailable (nothing was
  /// changed), kInternal (unknown: claim again).
  virtual boost::asio::awaitable<Expected<Claimed>> claim(TableId table, LifeId life) = 0;

  /// The life that owns a table and was not declared dead; empty: nobody does, or there is no such
  /// table. Errors: kUnavailable, kCorrupt.
  virtual boost::asio::awaitable<Expected<std::optional<Owner>>> owner(TableId table) = 0;

  /// Those of these lives that were not declared dead. Errors: kUnavailable, kCorrupt.
  virtual boost::asio::awaitable<Expected<std::vector<LifeId>>> living(
      std::vector<LifeId> lives) = 0;

  /// The heads of these tables, at most limits::kHeadsAtOnce, in no order. Those that do not exist
  /// are missing. Errors: kUnavailable, kCorrupt.
  virtual boost::asio::awaitable<Expected<TableHeads>> heads(std::vector<TableId> tables) = 0;

  /// Gives tables up, so that others may claim them. Ignores those that `life` does not own under
  /// their epoch any more. The caller appends nothing to them from the call on. Errors:
  /// kUnavailable and kInternal, after which some may still be owned.
  virtual boost::asio::awaitable<Expected<void>> release(std::vector<OwnedTable> tables,
                                                         LifeId life) = 0;

  /// Gives up, for lives that were declared dead, at most `max` of the tables that they had when
  /// they died, and returns them; with at most as many that were released to go on
  /// (OwnedTable::goes_on), that an earlier call has seen, and that are nobody's still. So each is
  /// returned to one caller. Errors: kUnavailable and kInternal, after which some may have been
  /// given up.
  virtual boost::asio::awaitable<Expected<std::vector<TableId>>> free_orphans(std::size_t max) = 0;

  /// Takes the lease of a duty for `life` if it is nobody's, that life's own, or a dead life's:
  /// returns its new epoch, so that what earlier holders write under theirs is refused. Empty: a
  /// life that was not declared dead has it. Durable when it returns. Errors: those of `claim`, but
  /// kNotFound.
  virtual boost::asio::awaitable<Expected<std::optional<Epoch>>> take_lease(Duty duty,
                                                                            LifeId life) = 0;

  /// The life that has the lease of a duty and was not declared dead; empty: nobody has it. Errors:
  /// kUnavailable, kCorrupt.
  virtual boost::asio::awaitable<Expected<std::optional<Owner>>> holder(Duty duty) = 0;

  /// Gives a lease up that was taken under `epoch`. Nothing happens if another life has it. Errors:
  /// kUnavailable and kInternal, after which it may still be the life's.
  virtual boost::asio::awaitable<Expected<void>> give_up_lease(Duty duty, Epoch epoch,
                                                               LifeId life) = 0;
};

}  // namespace tesela::store
