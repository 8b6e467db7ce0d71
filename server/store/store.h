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
#include "server/games/fair.h"
#include "server/store/event_log.h"
#include "server/store/ticket.h"

namespace tesela::store {

/// What an account is. A bot's never stands where a person's is, nor the other way round.
enum class PlayerKind : std::uint8_t {
  kPerson = 0,    // of a schema before 4, which did not tell guests from players of an issuer
  kGuest = 1,     // who has signed in here
  kOfIssuer = 2,  // whom the operator's own issuer vouches for
  kBot = 3,       // a strategy of a game
};

struct PlayerRow {
  PlayerId id;
  std::string display_name;
  std::int64_t created_ms{};
  PlayerKind kind{PlayerKind::kGuest};
  /// SHA-256 of who it is, of which the id is the beginning: two who share an id are told apart by
  /// it. Empty where the id is random, and in rows of a schema before 4.
  std::string identity{};

  friend bool operator==(const PlayerRow&, const PlayerRow&) = default;
};

enum class TableState : std::uint8_t { kInPlay = 1, kOver = 2, kOpen = 3, kClosed = 4 };

struct SeatRow {
  Seat seat;
  PlayerId player;
  std::string display_name;    // joined in from the player when read; ignored when written
  std::string strategy{};      // what plays the seat; empty: the player does
  std::string contribution{};  // what the player added to the dice
  games::ContributionState contribution_state{};
  bool bot{};  // the player's account is a bot's; a row that says otherwise is not written

  friend bool operator==(const SeatRow&, const SeatRow&) = default;
};

struct TableRow {
  TableId id;
  std::string game;
  std::string config;     // an encoded google.protobuf.Any
  std::string options{};  // an encoded tesela.lobby.v1.TableOptions
  PlayerId owner{};       // who made it
  std::string invite{};   // what a player must know to sit down; empty: the table is public
  std::string seed{};     // the server's share of the dice, 32 bytes; empty: of a schema before 3
  TableState state{TableState::kInPlay};
  bool assisted{};  // a hint was asked for
  std::uint8_t seat_count{1};
  std::vector<SeatRow> seats;  // those that are taken, in the order of seats
  Epoch epoch;                 // of the owner, raised by every claim
  std::int64_t created_ms{};
  std::optional<Ending> ending;  // set exactly when `state` is kOver or kClosed
  std::optional<Day> daily{};    // the daily game at which it is the owner's try

  friend bool operator==(const TableRow&, const TableRow&) = default;
};

/// A table that the matchmaker has made of tickets.
struct MatchedTable {
  TableRow table;
  std::optional<std::string> first_record;  // when the game begins at once
  std::vector<TicketId> tickets;            // that it consumes
  GameOutcome outcome{};                    // of a game that is over as it begins
};

/// Conditions that are set must all hold.
struct TableFilter {
  std::string game;  // empty: any
  std::optional<TableState> state;
  std::optional<PlayerId> player;
  bool private_too{};  // also tables with an invite
  bool with_bots{};    // a strategy plays one of its seats; not with `game` or `player`
  std::optional<std::int64_t> made_before_ms{};
};

/// Where a page of tables ended: the last row of the page before. Tables are ordered by
/// (created_ms, id), newest first.
struct TableCursor {
  std::int64_t created_ms{};
  TableId id;
};

/// The same of players, who are ordered likewise; those whose names begin with a prefix by
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

  /// kInternal when the id is taken (ids are random: that does not happen).
  virtual boost::asio::awaitable<Expected<void>> add_player(PlayerRow player) = 0;

  /// kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<PlayerRow>> player(PlayerId id) = 0;

  /// At most `max` players after `after`, when given: with an empty prefix all of them, newest
  /// first; else those whose names begin with it, letter for letter, in the order of names.
  virtual boost::asio::awaitable<Expected<std::vector<PlayerRow>>> players(
      std::string name_prefix, std::optional<PlayerCursor> after, std::size_t max) = 0;

  /// Stores the table, its seats and, when its game begins at once, the record of version 1 in one
  /// transaction, with epoch 1. `outcome` is what the game counts for when it is over as it begins:
  /// then `table` has its ending. kNotFound when the owner or a seat's player does not exist or is
  /// not what SeatRow::bot says, kAlreadyTried when the owner has a table of the same game and
  /// daily game.
  virtual boost::asio::awaitable<Expected<void>> add_table(TableRow table,
                                                           std::optional<std::string> first_record,
                                                           GameOutcome outcome) = 0;

  /// Puts the state, the mark, the seats and the ending of `table` in the place of those that are
  /// stored and, when its game begins, appends the record of version 1, in one transaction. Durable
  /// when it returns. `table` is over only where its game is over as it begins, and `outcome` is
  /// what it counts for then: any other game ends by an append. Errors, all of which change
  /// nothing: kFenced (the row's epoch is not the table's, or the game has begun), kNotFound (no
  /// such table or player), kUnavailable and kInternal as in EventLog::append.
  virtual boost::asio::awaitable<Expected<void>> change_table(
      TableRow table, std::optional<std::string> first_record, GameOutcome outcome) = 0;

  /// kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<TableRow>> table(TableId id) = 0;

  /// At most `max` tables that match, after `after` when given. kInvalidArgument for conditions
  /// that do not go together.
  virtual boost::asio::awaitable<Expected<std::vector<TableRow>>> tables(
      TableFilter filter, std::optional<TableCursor> after, std::size_t max) = 0;

  /// Takes the table over: raises its epoch, so that every append of an earlier owner is refused
  /// from now on. Durable when it returns. kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<Epoch>> claim(TableId id) = 0;

  /// Stores tickets and their parties in one transaction. Errors, all of which change nothing:
  /// kNotFound (no such player), kInternal (an id is taken, or a player waits already).
  virtual boost::asio::awaitable<Expected<void>> add_tickets(
      std::vector<store::Ticket> tickets) = 0;

  /// Removes tickets, those that are there, in one transaction.
  virtual boost::asio::awaitable<Expected<void>> remove_tickets(std::vector<TicketId> tickets) = 0;

  /// All tickets that wait, in the order of their ids.
  virtual boost::asio::awaitable<Expected<std::vector<store::Ticket>>> tickets() = 0;

  /// Stores the tables as add_table does and removes their tickets, in one transaction: a ticket
  /// becomes one table, or still waits. Errors, all of which change nothing: kNotFound (a ticket or
  /// a player is not there), kInternal (an id is taken), and those of EventLog::append.
  virtual boost::asio::awaitable<Expected<void>> make_tables(std::vector<MatchedTable> tables) = 0;

  /// The table that make_tables has made for the player last; empty when there is none.
  virtual boost::asio::awaitable<Expected<std::optional<TableId>>> last_match(PlayerId player) = 0;

  /// A player's rating; a newcomer's when it has none.
  virtual boost::asio::awaitable<Expected<RatingRow>> rating(std::string game, PlayerId player) = 0;

  /// A part of a board, as it is at one moment. Empty beyond its end, and when `range.around` is
  /// not on it.
  virtual boost::asio::awaitable<Expected<std::vector<BoardEntry>>> board(BoardKey key,
                                                                          BoardRange range) = 0;

  /// Whether a write would be taken now: what /readyz tells. Cheap; any thread.
  [[nodiscard]] virtual Expected<void> writable() const = 0;
};

}  // namespace tesela::store
