// The interface of what belongs to no single table: players, matches, ratings, boards, lists of
// tables. What belongs to one is in TableRows, EventLog and the interfaces beside them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/boards.h"
#include "server/store/table_rows.h"

namespace tesela::store {

/// The kind of an account. An account never changes between a bot's and a person's.
enum class PlayerKind : std::uint8_t {
  kPerson = 0,    // from before the first release: a guest or a player of an issuer
  kGuest = 1,     // signed in at this server
  kOfIssuer = 2,  // from the operator's issuer
  kBot = 3,       // a strategy of a game
  kMember = 4,    // signed in at this server, with a credential to come back by
};

/// Who may see a player's profile, and list the player's tables.
enum class Audience : std::uint8_t { kEverybody = 1, kPlayers = 2, kNobody = 3 };

struct PlayerRow {
  PlayerId id;
  std::string display_name;
  std::int64_t created_ms{};
  PlayerKind kind{PlayerKind::kGuest};
  /// The SHA-256 that a derived id is the beginning of (HashedAccount): it distinguishes accounts
  /// with the same id. Empty for random ids, and in some rows from before the first release.
  std::string identity{};
  std::optional<std::int64_t> erased_ms{};  // when an operator erased the player
  Audience audience{Audience::kEverybody};  // ignored when written
  std::optional<PlayerId> owner{};  // of a remote bot: Friends::own_bot; ignored when written

  friend bool operator==(const PlayerRow&, const PlayerRow&) = default;
};

/// What a search for opponents needs to know of a player.
struct SeekerRow {
  PlayerId player;
  double mu{};                          // of the rating in the game; a newcomer's without one
  std::optional<TableId> last_match{};  // the last table by make_tables
  bool match_lives{};                   // that table is open or in play
  std::vector<PlayerId> blocked{};      // whom the player blocks, in the order of ids

  friend bool operator==(const SeekerRow&, const SeekerRow&) = default;
};

/// A player of a matched table.
struct MatchedPlayer {
  PlayerId player;
  std::optional<TableId> last_match{};  // before this one, as far as the matcher knows
};

/// A table of the matchmaker.
struct MatchedTable {
  TableRow table;
  std::optional<std::string> first_record;  // if the game begins at once
  std::vector<MatchedPlayer> players;       // whose last match it becomes; no bots
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

  /// At most `max` players after `after`: with an empty prefix all players, newest first; otherwise
  /// those whose names begin with the prefix (case-sensitive), in the order of names.
  virtual boost::asio::awaitable<Expected<std::vector<PlayerRow>>> players(
      std::string name_prefix, std::optional<PlayerCursor> after, std::size_t max) = 0;

  /// At most `max` matching tables after `after`. kInvalidArgument for an invalid combination of
  /// conditions.
  virtual boost::asio::awaitable<Expected<std::vector<TableRow>>> tables(
      TableFilter filter, std::optional<TableCursor> after, std::size_t max) = 0;

  /// Those of the players who exist, in no order.
  virtual boost::asio::awaitable<Expected<std::vector<SeekerRow>>> seekers(
      std::string game, std::vector<PlayerId> players) = 0;

  /// Stores tables as TableRows::add_table does, and the last matches of their players, in one
  /// transaction. Under the lease of Duty::kMatch, whose epoch is `lease`; a store that one server
  /// uses at a time does not look at it. Errors, without effect: kFenced (another server has taken
  /// the lease since), kStale (a player has another last match than MatchedPlayer says), kNotFound
  /// (a player does not exist), kInternal (an id is taken), and those of EventLog::append.
  virtual boost::asio::awaitable<Expected<void>> make_tables(std::vector<MatchedTable> tables,
                                                             Epoch lease) = 0;

  /// A player's rating; a newcomer's if the player has none.
  virtual boost::asio::awaitable<Expected<RatingRow>> rating(std::string game, PlayerId player) = 0;

  /// A consistent part of a board. Empty beyond its end, and if `range.around` is not on it.
  virtual boost::asio::awaitable<Expected<std::vector<BoardEntry>>> board(BoardKey key,
                                                                          BoardRange range) = 0;

  /// Whether writes are accepted now, for /readyz. Cheap; any thread.
  [[nodiscard]] virtual Expected<void> writable() const = 0;
};

}  // namespace tesela::store
