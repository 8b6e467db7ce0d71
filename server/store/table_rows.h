// The rows of tables: who sits there, and how far the game is. Games are in EventLog.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/games/fair.h"
#include "server/store/boards.h"
#include "server/store/event_log.h"

namespace tesela::store {

enum class TableState : std::uint8_t { kInPlay = 1, kOver = 2, kOpen = 3, kClosed = 4 };

struct SeatRow {
  Seat seat;
  PlayerId player;
  std::string display_name;    // from the player's row when read; ignored when written
  std::string strategy{};      // that plays the seat; empty: the player does
  std::string contribution{};  // the player's contribution to the dice
  games::ContributionState contribution_state{};
  bool bot{};  // whether the account must be a bot's; otherwise the row is refused

  friend bool operator==(const SeatRow&, const SeatRow&) = default;
};

struct TableRow {
  TableId id;
  std::string game;
  std::string config;     // an encoded google.protobuf.Any
  std::string options{};  // an encoded tesela.lobby.v1.TableOptions
  PlayerId owner{};       // who created the table
  std::string invite{};   // empty: the table is public
  std::string seed{};     // the server's seed, 32 bytes; empty: from before the release
  TableState state{TableState::kInPlay};
  bool assisted{};  // a hint was requested, or a move taken back
  std::uint8_t seat_count{1};
  std::vector<SeatRow> seats;  // the taken seats, in order
  Epoch epoch;                 // raised by every Ownership::claim
  std::int64_t created_ms{};
  std::optional<Ending> ending;  // set if and only if `state` is kOver or kClosed
  std::optional<Day> daily{};    // the day of the daily game

  friend bool operator==(const TableRow&, const TableRow&) = default;
};

/// Every call is about one table id, as in EventLog: what needs several tables, or lists them, is
/// in Store. Threading and errors as in EventLog.
class TableRows {
 public:
  virtual ~TableRows() = default;

  /// Stores the table, its seats and, if its game begins at once, the record of version 1 in one
  /// transaction, with epoch 1. For a game that is over before its first move, `table` has its
  /// ending and `outcome` what it counts for. kNotFound when the owner or a seat's player does not
  /// exist or contradicts SeatRow::bot, kAlreadyTried when the owner has a table of the same daily
  /// game.
  virtual boost::asio::awaitable<Expected<void>> add_table(TableRow table,
                                                           std::optional<std::string> first_record,
                                                           GameOutcome outcome) = 0;

  /// Replaces the state, `assisted`, the seats and the ending of a table and, if its game begins,
  /// appends the record of version 1, in one transaction. Durable when it returns. `table` is over
  /// only if its game is over before its first move; then `outcome` is what it counts for. Other
  /// games end by an append. Errors, without effect: kFenced (another epoch, or the game has
  /// begun), kNotFound (no such table or player), kUnavailable and kInternal as in
  /// EventLog::append.
  virtual boost::asio::awaitable<Expected<void>> change_table(
      TableRow table, std::optional<std::string> first_record, GameOutcome outcome) = 0;

  /// kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<TableRow>> table(TableId id) = 0;
};

}  // namespace tesela::store
