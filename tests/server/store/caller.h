// A caller of a store that waits for every answer: its methods are the verbs of the tests.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/store/event_log.h"
#include "server/store/only_life.h"
#include "server/store/ownership.h"
#include "server/store/store.h"
#include "server/store/table_rows.h"

namespace tesela::store {

/// What a test calls the record of a version: "12/3" is version 3 of table 12.
std::string record_of(TableId table, Version version);

/// The owner of every table.
inline constexpr PlayerId kOwner{1};

class Caller {
 public:
  Caller(EventLog& log, TableRows& table_rows, Store& store)
      : log_(&log), table_rows_(&table_rows), store_(&store) {}
  /// `whole` is a TableRows and a Store.
  template <class Whole>
  Caller(EventLog& log, Whole& whole) : Caller(log, whole, whole) {}

  /// Runs one call to its end.
  template <class T>
  T wait(boost::asio::awaitable<T> call) {
    std::optional<T> result;
    boost::asio::io_context& io = context();
    boost::asio::co_spawn(io, std::move(call), [&](const std::exception_ptr& thrown, T answer) {
      if (thrown) std::rethrow_exception(thrown);
      result = std::move(answer);
    });
    io.restart();
    io.run();
    return std::move(result.value());
  }

  /// Adds a player called `name`.
  Expected<void> sign_in(PlayerId id, std::string name);
  /// Adds a table of kOwner, made at `created_ms` with these players, in the order of seats. With
  /// fewer players than `seat_count` it is open and has no event.
  Expected<void> open_table(TableId id, std::initializer_list<PlayerId> players = {kOwner},
                            std::int64_t created_ms = 1000, std::string game = "2048",
                            std::uint8_t seat_count = 1);
  /// Adds a table that is played at and asks for an invite.
  Expected<void> open_private_table(TableId id, PlayerId player, std::string invite);
  /// Adds a table of this state, which `player` plays, or waits at.
  Expected<void> open_listed_table(TableId id, PlayerId player, std::string game, bool is_private,
                                   TableState state);
  /// Appends record_of(table, version).
  Expected<void> append(TableId table, Version version, Epoch epoch = Epoch{1});
  /// Appends the versions `first` .. `last` of the tables 1 .. `tables`, all tables at once. How
  /// many appends were refused; a table ends at its first.
  std::uint64_t append_to_all(std::uint64_t tables, Version first, Version last);
  /// Appends the event that ends the game.
  Expected<void> end(TableId table, Version version, Ending ending);
  Expected<void> end(TableId table, Version version, Ending ending, GameOutcome outcome);
  /// Adds a table at which kOwner tries the daily game of `day`.
  Expected<void> try_daily(TableId id, Day day, std::string game = "2048");
  Expected<void> change(TableRow table);
  /// Changes the table and appends the record of version 1.
  Expected<void> begin(TableRow table);
  /// Adds a table whose game is over as it begins; changes one to that.
  Expected<void> add_over(TableRow table, GameOutcome outcome);
  Expected<void> begin_over(TableRow table, GameOutcome outcome);
  /// The epoch of a claim, which must succeed or be refused: the table is not elsewhere.
  Expected<Epoch> claim(Ownership& owners, TableId table, LifeId life = kOnlyLife);

  Expected<std::vector<Entry>> read(TableId table, Version from = Version{1},
                                    std::size_t max = 1000);
  Expected<std::optional<Entry>> last(TableId table);
  Expected<TableRow> look_at(TableId table);
  Expected<PlayerRow> meet(PlayerId player);
  /// The ids of a page of players.
  std::vector<PlayerId> list_players(std::string name_prefix = {},
                                     std::optional<PlayerCursor> after = {}, std::size_t max = 100);
  RatingRow rating(const std::string& game, PlayerId player);
  std::vector<BoardEntry> board(BoardKey key, BoardRange range = {.max = 100});
  /// The ids of a page.
  std::vector<TableId> list(TableFilter filter = {}, std::optional<TableCursor> after = {},
                            std::size_t max = 100);

 private:
  /// The same for every caller: a store's callers must have their context until the store is
  /// closed.
  static boost::asio::io_context& context();

  TableRow row_of(TableId id, std::initializer_list<PlayerId> players);
  Expected<void> add(TableRow table);

  EventLog* log_;
  TableRows* table_rows_;
  Store* store_;
};

/// The events 1 .. `last` of a table as the log should give them, from `from` on.
std::vector<Entry> events_of(TableId table, Version from, Version last);

/// What a claim answers.
inline Claimed owned(Epoch epoch, Version version) {
  return Owned{epoch, version};
}
inline Claimed elsewhere(LifeId life, std::string address) {
  return Elsewhere{life, std::move(address)};
}

/// The code of a refusal; nothing when it was none.
template <class T>
std::optional<ErrorCode> refusal(const Expected<T>& result) {
  if (result) return std::nullopt;
  return result.error().code;
}

}  // namespace tesela::store
