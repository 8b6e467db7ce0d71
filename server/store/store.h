// Everything that is known about players and tables besides the games themselves.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/event_log.h"

namespace tesela::store {

struct PlayerRow {
  PlayerId id;
  std::string display_name;
  std::int64_t created_ms{};

  friend bool operator==(const PlayerRow&, const PlayerRow&) = default;
};

enum class TableState : std::uint8_t { kInPlay = 1, kOver = 2, kOpen = 3 };

struct SeatRow {
  Seat seat;
  PlayerId player;
  std::string display_name;  // joined in from the player when read; ignored when written

  friend bool operator==(const SeatRow&, const SeatRow&) = default;
};

struct TableRow {
  TableId id;
  std::string game;
  std::string config;                     // an encoded google.protobuf.Any
  TableState state{TableState::kInPlay};  // kOpen exactly while a seat is free
  std::uint8_t seat_count{1};
  std::vector<SeatRow> seats;  // those that are taken, in the order of seats
  Epoch epoch;                 // of the owner, raised by every claim
  std::int64_t created_ms{};
  std::optional<Ending> ending;  // set exactly when `state` is kOver

  friend bool operator==(const TableRow&, const TableRow&) = default;
};

/// Conditions that are set must all hold.
struct TableFilter {
  std::string game;  // empty: any
  std::optional<TableState> state;
  std::optional<PlayerId> player;
};

/// Where a page of tables ended: the last row of the page before. Tables are ordered by
/// (created_ms, id), newest first.
struct TableCursor {
  std::int64_t created_ms{};
  TableId id;
};

/// A player on the way to a seat.
struct SeatClaim {
  TableId table;
  Epoch epoch;  // the owner's, as `Store::claim` gave it
  Seat seat;
  PlayerId player;
};

/// Threading and errors as in EventLog.
class Store {
 public:
  virtual ~Store() = default;

  /// kInternal when the id is taken (ids are random: that does not happen).
  virtual boost::asio::awaitable<Expected<void>> add_player(PlayerRow player) = 0;

  /// kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<PlayerRow>> player(PlayerId id) = 0;

  /// Stores the table, its seats and the record of version 1 in one transaction, with epoch 1; open
  /// when a seat is free, else in play.
  /// kNotFound when a seat's player does not exist.
  virtual boost::asio::awaitable<Expected<void>> add_table(TableRow table,
                                                           std::string created_record) = 0;

  /// Seats a player at an open table, which is in play once the last seat is taken. Durable when it
  /// returns. Errors, all of which change nothing: kFenced (the epoch is not the table's),
  /// kNotFound (no such table or player), kSeatTaken, kInvalidArgument (the table has no such
  /// seat), kUnavailable and kInternal as in EventLog::append.
  virtual boost::asio::awaitable<Expected<void>> take_seat(SeatClaim claim) = 0;

  /// kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<TableRow>> table(TableId id) = 0;

  /// At most `max` tables that match, after `after` when given.
  virtual boost::asio::awaitable<Expected<std::vector<TableRow>>> tables(
      TableFilter filter, std::optional<TableCursor> after, std::size_t max) = 0;

  /// Takes the table over: raises its epoch, so that every append of an earlier owner is refused
  /// from now on. Durable when it returns. kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<Epoch>> claim(TableId id) = 0;

  /// Whether a write would be taken now: what /readyz tells. Cheap; any thread.
  [[nodiscard]] virtual Expected<void> writable() const = 0;
};

}  // namespace tesela::store
