// The interface of whom players follow and block, of their challenges, and of whose a remote bot
// is.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/event_log.h"
#include "server/store/store.h"
#include "server/store/table_rows.h"

namespace tesela::store {

/// A player as lists have it.
struct NamedPlayer {
  PlayerId id;
  std::string name;

  friend bool operator==(const NamedPlayer&, const NamedPlayer&) = default;
};

/// A player who is followed.
struct FollowedPlayer {
  NamedPlayer player;
  bool hidden{};           // the follower may not see the profile, or is blocked
  std::int64_t here_ms{};  // the last time that is stored
  /// The newest public table in play at which the player sits, and its game.
  std::optional<TableId> table{};
  std::string game{};
};

/// Whose challenges a player takes.
enum class Challengers : std::uint8_t { kEverybody = 1, kFollowed = 2, kNobody = 3 };

/// The lists of one player, by name.
struct FriendLists {
  std::vector<FollowedPlayer> follows;
  std::vector<NamedPlayer> blocked;
  Challengers challengers{Challengers::kEverybody};
  std::int64_t here_ms{};  // of the player
};

enum class ChallengeState : std::uint8_t { kOpen = 1, kAccepted = 2, kDeclined = 3 };

struct ChallengeRow {
  std::string id;  // a secret, as an invite
  NamedPlayer from;
  std::optional<NamedPlayer> to{};  // of one for whoever has the id: who has accepted
  std::string game{};
  std::string config{};   // an encoded google.protobuf.Any
  std::string options{};  // an encoded tesela.lobby.v1.TableOptions
  std::int64_t created_ms{};
  std::int64_t expires_ms{};
  ChallengeState state{ChallengeState::kOpen};
  std::optional<TableId> table{};
  std::int64_t from_here_ms{};  // FriendLists::here_ms of the challenger, when read

  friend bool operator==(const ChallengeRow&, const ChallengeRow&) = default;
};

/// The challenges of one player, the newest first.
struct ChallengeLists {
  std::vector<ChallengeRow> to_player;    // open ones
  std::vector<ChallengeRow> from_player;  // answered ones too
  std::int64_t here_ms{};                 // of the player
};

/// An answer that makes a table.
struct Acceptance {
  std::string challenge;
  PlayerId player;
  std::int64_t now_ms{};
  TableRow table;
  std::optional<std::string> first_record{};  // if the game begins at once
  GameOutcome outcome{};                      // of a game that is over before its first move
};

/// Threading and errors as in EventLog. Whatever changes something may be repeated.
class Friends {
 public:
  virtual ~Friends() = default;

  /// Errors: kNotFound (a player does not exist, or was erased), kResourceExhausted (more than
  /// limits::kFollowsMax).
  virtual boost::asio::awaitable<Expected<void>> follow(PlayerId player, PlayerId whom,
                                                        std::int64_t at_ms) = 0;
  virtual boost::asio::awaitable<Expected<void>> unfollow(PlayerId player, PlayerId whom) = 0;

  /// The player does not follow the other one any more; open challenges of the player to the other
  /// one are deleted, and those of the other one are declined. Errors: as follow
  /// (limits::kBlocksMax).
  virtual boost::asio::awaitable<Expected<void>> block(PlayerId player, PlayerId whom,
                                                       std::int64_t at_ms) = 0;
  virtual boost::asio::awaitable<Expected<void>> unblock(PlayerId player, PlayerId whom) = 0;

  /// kNotFound when there is no such player.
  virtual boost::asio::awaitable<Expected<FriendLists>> friends(PlayerId player) = 0;

  /// Whom the player blocks.
  virtual boost::asio::awaitable<Expected<std::vector<PlayerId>>> blocked_by(PlayerId player) = 0;

  /// kNotFound when there is no such player, or erased.
  virtual boost::asio::awaitable<Expected<void>> set_challengers(PlayerId player,
                                                                 Challengers challengers) = 0;

  /// The player is there.
  virtual boost::asio::awaitable<Expected<void>> see_here(PlayerId player, std::int64_t at_ms) = 0;

  /// The remote bot is the owner's from now on; without an owner, it is the next one's who asks.
  /// Who was removed or erased owns nothing. Errors: kNotFound (no such bot), kPermissionDenied (it
  /// is another player's).
  virtual boost::asio::awaitable<Expected<void>> own_bot(PlayerId bot,
                                                         std::optional<PlayerId> owner) = 0;

  /// Adds an open challenge: names are ignored. Errors: kNotFound (a player does not exist, or was
  /// erased), kPermissionDenied (the other one is a bot, or takes no challenges of the player; the
  /// player blocks the other one), kTaken (one in the same game is open between them),
  /// kResourceExhausted (limits::kChallengesMax, kChallengesToOneMax).
  virtual boost::asio::awaitable<Expected<void>> add_challenge(ChallengeRow challenge) = 0;

  /// One that has not expired. kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<ChallengeRow>> challenge(std::string id,
                                                                   std::int64_t now_ms) = 0;

  virtual boost::asio::awaitable<Expected<ChallengeLists>> challenges(PlayerId player,
                                                                      std::int64_t now_ms) = 0;

  /// Stores the table, as TableRows::add_table does, and that the player has accepted, in one
  /// transaction. Without another effect when the player has accepted it before. Errors: kNotFound
  /// (no such challenge to the player, or one of the two blocks the other), kTaken (it was answered
  /// otherwise, or by somebody else), and those of add_table.
  virtual boost::asio::awaitable<Expected<void>> accept_challenge(Acceptance acceptance) = 0;

  /// Errors: kNotFound (no such challenge to the player), kTaken (it was accepted).
  virtual boost::asio::awaitable<Expected<void>> decline_challenge(std::string id, PlayerId player,
                                                                   std::int64_t now_ms) = 0;

  /// Deletes an open challenge of the player, if there is one. Error: kTaken (it was answered).
  virtual boost::asio::awaitable<Expected<void>> withdraw_challenge(std::string id,
                                                                    PlayerId player) = 0;
};

}  // namespace tesela::store
