// The interface of what players report of each other, and of what operators do about it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"

namespace tesela::store {

/// What is done to a player or, by those from kAnnounce to kPauseSignIns, to all servers. Never
/// renumbered.
enum class ActKind : std::uint8_t {
  kWarn = 1,              // the player is told
  kMute = 2,              // the player's talk is refused
  kRename = 3,            // the player gets a neutral name
  kSuspend = 4,           // the player gets into no game
  kBan = 5,               // the same, and out of every game; the player's sessions end
  kUndo = 6,              // another act does not hold any more
  kAnnounce = 7,          // everybody is told the reason
  kPauseMatchmaking = 8,  // searches are refused
  kPauseSignIns = 9,      // new guests and sign-ins are refused
  kEndSessions = 10,      // the player's sessions end
  kVoidGame = 11,         // a game that is over does not count, for none of its players
};

/// Whether an act of this kind is one on all servers, not on a player.
[[nodiscard]] inline bool on_servers(ActKind kind) {
  return kind >= ActKind::kAnnounce && kind <= ActKind::kPauseSignIns;
}

/// The time of an act that holds until it is undone.
inline constexpr std::int64_t kForEver = std::numeric_limits<std::int64_t>::max();

/// Never changed but for what its player has to do with it: an undo is a row of its own.
struct ActRow {
  ActId id;
  PlayerId player;  // 0: all servers
  ActKind kind{};
  std::string operator_name{};  // as the operator says it
  std::string reason{};
  std::int64_t created_ms{};               // by the store's clock
  std::optional<std::int64_t> until_ms{};  // none: it does not last, or is an undo
  /// What was in force, and is from then on; of a rename, and of its undo, the player's name.
  std::string before{};
  std::string after{};
  std::optional<ActId> undoes{};
  std::optional<ActId> undone_by{};  // when read
  std::optional<std::int64_t> seen_ms{};
  std::string answer{};  // the player's; empty: none
  std::optional<std::int64_t> answered_ms{};
  std::optional<TableId> table{};  // of a game that is void

  friend bool operator==(const ActRow&, const ActRow&) = default;
};

/// What `act` and `undo` have done.
struct Acted {
  ActRow act;                         // of `undo`: the one that is undone
  std::vector<SessionId> sessions{};  // that have ended by it
};

enum class ReportKind : std::uint8_t { kTalk = 1, kPlay = 2, kName = 3, kOther = 4 };

/// Something that was said at a table.
struct ReportLine {
  PlayerId player;
  std::int64_t at_ms{};
  std::string text{};      // empty: a phrase
  std::uint32_t phrase{};  // a tesela.play.v1.Phrase

  friend bool operator==(const ReportLine&, const ReportLine&) = default;
};

struct ReportRow {
  ReportId id;
  PlayerId reporter;
  PlayerId player;
  TableId table;
  ReportKind kind{};
  std::string text{};
  std::int64_t created_ms{};
  std::string assignee{};  // an operator; empty: nobody
  std::optional<std::int64_t> closed_ms{};
  std::string outcome{};            // what came of it, of a closed one
  std::vector<ReportLine> lines{};  // the last ones of the table's talk, the oldest first

  friend bool operator==(const ReportRow&, const ReportRow&) = default;
};

/// Where a page of reports or acts has ended: they are in the order of their times, the newest
/// first.
struct PastCursor {
  std::int64_t created_ms{};
  std::uint64_t id{};
};

/// Which reports: those that are not closed, all, those of a player, or those by one.
enum class ReportList : std::uint8_t { kOpen, kAll, kOfPlayer, kByPlayer };

/// Threading and errors as in EventLog.
class Moderation {
 public:
  virtual ~Moderation() = default;

  /// Errors: kNotFound (a player does not exist, or was erased), kTaken (the reporter has an open
  /// report of this player).
  virtual boost::asio::awaitable<Expected<void>> add_report(ReportRow report) = 0;

  /// At most `max` reports after `after`, without their lines.
  virtual boost::asio::awaitable<Expected<std::vector<ReportRow>>> reports(
      ReportList which, PlayerId player, std::optional<PastCursor> after, std::size_t max) = 0;

  /// kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<ReportRow>> report(ReportId id) = 0;

  /// What a player said, in the order of reports, as far as reports have kept it.
  virtual boost::asio::awaitable<Expected<std::vector<ReportLine>>> lines_of(PlayerId player,
                                                                             std::size_t max) = 0;

  /// Gives an open report to an operator; empty: to nobody. Errors: kNotFound, kStarted (it is
  /// closed).
  virtual boost::asio::awaitable<Expected<void>> assign_report(ReportId id,
                                                               std::string assignee) = 0;

  /// Closes an open report. Errors: as assign_report.
  virtual boost::asio::awaitable<Expected<void>> close_report(ReportId id, std::string assignee,
                                                              std::string outcome,
                                                              std::int64_t at_ms) = 0;

  /// Acts on a player: `act` has its id, player, kind, operator, reason and time, and of a rename
  /// the name after it, of a void game the table, which is void once it is closed. A ban and
  /// kEndSessions end the player's sessions, a rename changes the name, in the same transaction.
  /// `now_ms` decides what is in force. Errors: kNotFound (no such player, or erased), kTaken (an
  /// act of this kind is in force; there may be several announcements).
  virtual boost::asio::awaitable<Expected<Acted>> act(ActRow act, std::int64_t now_ms) = 0;

  /// Undoes `undo.undoes`: `undo` has its id, the operator and the reason. A rename gives the old
  /// name back, unless the player has another by now. Errors: kNotFound, kInvalidArgument (it is an
  /// undo itself), kTaken (it was undone).
  virtual boost::asio::awaitable<Expected<Acted>> undo(ActRow undo, std::int64_t now_ms) = 0;

  /// At most `max` acts on a player, or on all servers, the newest first.
  virtual boost::asio::awaitable<Expected<std::vector<ActRow>>> acts(PlayerId player,
                                                                     std::size_t max) = 0;

  /// kNotFound when there is none.
  virtual boost::asio::awaitable<Expected<ActRow>> find_act(ActId id) = 0;

  /// Acts that are in force at `now_ms`, at most `max`.
  virtual boost::asio::awaitable<Expected<std::vector<ActRow>>> acts_in_force(std::int64_t now_ms,
                                                                              std::size_t max) = 0;

  /// What was done or undone since `since_ms` by the store's clock, at most `max`, the last first:
  /// created_ms is when that was.
  virtual boost::asio::awaitable<Expected<std::vector<ActRow>>> acts_since(std::int64_t since_ms,
                                                                           std::size_t max) = 0;

  /// The player has read the act, and answers it if `answer` is not empty. Errors: kNotFound (the
  /// player has no such act), kTaken (was answered before).
  virtual boost::asio::awaitable<Expected<void>> see_act(PlayerId player, ActId act,
                                                         std::string answer,
                                                         std::int64_t at_ms) = 0;
};

}  // namespace tesela::store
