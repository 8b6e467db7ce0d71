// The interface of the store: players, tables, ratings, boards and tickets. Games are in EventLog.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/games/fair.h"
#include "server/store/event_log.h"
#include "server/store/ticket.h"

namespace tesela::store {

/// The kind of an account. An account never changes between a bot's and a person's.
enum class PlayerKind : std::uint8_t {
  kPerson = 0,    // from a schema before 4: a guest or a player of an issuer
  kGuest = 1,     // signed in at this server
  kOfIssuer = 2,  // from the operator's issuer
  kBot = 3,       // a strategy of a game
};

struct PlayerRow {
  PlayerId id;
  std::string display_name;
  std::int64_t created_ms{};
  PlayerKind kind{PlayerKind::kGuest};
  /// The SHA-256 that a derived id is the beginning of (HashedAccount): it distinguishes accounts
  /// with the same id. Empty for random ids, and in rows of a schema before 4.
  std::string identity{};
  std::optional<std::int64_t> erased_ms{};  // when an operator erased the player

  friend bool operator==(const PlayerRow&, const PlayerRow&) = default;
};

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
  std::string seed{};     // the server's seed, 32 bytes; empty: from a schema before 3
  TableState state{TableState::kInPlay};
  bool assisted{};  // a hint was requested
  std::uint8_t seat_count{1};
  std::vector<SeatRow> seats;  // the taken seats, in order
  Epoch epoch;                 // raised by every Ownership::claim
  std::int64_t created_ms{};
  std::optional<Ending> ending;  // set if and only if `state` is kOver or kClosed
  std::optional<Day> daily{};    // the day of the daily game

  friend bool operator==(const TableRow&, const TableRow&) = default;
};

/// A table that the matchmaker made of tickets.
struct MatchedTable {
  TableRow table;
  std::optional<std::string> first_record;  // if the game begins at once
  std::vector<TicketId> tickets;            // removed with it
  GameOutcome outcome{};                    // of a game that is over before its first move
};

/// All conditions that are set must hold.
struct TableFilter {
  std::string game;  // empty: any
  std::optional<TableState> state;
  std::optional<PlayerId> player;
  bool private_too{};  // also tables with an invite
  bool with_bots{};    // with a seat that a strategy plays; not together with `game` or `player`
  std::optional<std::int64_t> made_before_ms{};
};

/// The last table of a page. Tables are ordered by (created_ms, id), newest first.
struct TableCursor {
  std::int64_t created_ms{};
  TableId id;
};

/// The last player of a page. Players are ordered like tables; those with a prefix of the name by
/// (display_name, created_ms, id).
struct PlayerCursor {
  std::int64_t created_ms{};
  PlayerId id;
  std::string display_name{};
};

/// Threading and errors as in EventLog.
class Store {
 public:
  virtual ~Store() = default;

  /// kInternal when the id is taken, which does not happen with random ids.
  virtual boost::asio::awaitable<Expected<void>> add_player(PlayerRow player) = 0;

  /// kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<PlayerRow>> player(PlayerId id) = 0;

  /// The player has shown up at `at_ms`, Unix time in milliseconds: guests who do not are deleted
  /// one day. Writes nothing when a sign of life after `known_since_ms` is stored. kNotFound when
  /// there is none.
  virtual boost::asio::awaitable<Expected<void>> see_player(PlayerId id, std::int64_t at_ms,
                                                            std::int64_t known_since_ms) = 0;

  /// At most `max` players after `after`: with an empty prefix all players, newest first; otherwise
  /// those whose names begin with the prefix (case-sensitive), in the order of names.
  virtual boost::asio::awaitable<Expected<std::vector<PlayerRow>>> players(
      std::string name_prefix, std::optional<PlayerCursor> after, std::size_t max) = 0;

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

  /// At most `max` matching tables after `after`. kInvalidArgument for an invalid combination of
  /// conditions.
  virtual boost::asio::awaitable<Expected<std::vector<TableRow>>> tables(
      TableFilter filter, std::optional<TableCursor> after, std::size_t max) = 0;

  // Tickets are written under the lease of Duty::kMatch, whose epoch is `lease`. Error, without
  // effect: kFenced, when another server has taken the lease since. A store that one server uses
  // at a time does not look at it.

  /// Stores tickets and their parties in one transaction. Errors, without effect: kNotFound (no
  /// such player), kInternal (an id is taken, or a player has a ticket).
  virtual boost::asio::awaitable<Expected<void>> add_tickets(std::vector<store::Ticket> tickets,
                                                             Epoch lease) = 0;

  /// Removes tickets in one transaction; ignores those that do not exist.
  virtual boost::asio::awaitable<Expected<void>> remove_tickets(std::vector<TicketId> tickets,
                                                                Epoch lease) = 0;

  /// All tickets, in the order of their ids.
  virtual boost::asio::awaitable<Expected<std::vector<store::Ticket>>> tickets() = 0;

  /// Stores tables as add_table does and removes their tickets, in one transaction. Errors, without
  /// effect: kNotFound (a ticket or a player does not exist), kInternal (an id is taken), and those
  /// of EventLog::append.
  virtual boost::asio::awaitable<Expected<void>> make_tables(std::vector<MatchedTable> tables,
                                                             Epoch lease) = 0;

  /// The player's last table by make_tables, if there is one.
  virtual boost::asio::awaitable<Expected<std::optional<TableId>>> last_match(PlayerId player) = 0;

  /// A player's rating; a newcomer's if the player has none.
  virtual boost::asio::awaitable<Expected<RatingRow>> rating(std::string game, PlayerId player) = 0;

  /// A consistent part of a board. Empty beyond its end, and if `range.around` is not on it.
  virtual boost::asio::awaitable<Expected<std::vector<BoardEntry>>> board(BoardKey key,
                                                                          BoardRange range) = 0;

  /// Whether writes are accepted now, for /readyz. Cheap; any thread.
  [[nodiscard]] virtual Expected<void> writable() const = 0;
};

}  // namespace tesela::store
