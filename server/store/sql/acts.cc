#include "server/store/sql/moderation.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/base/clock.h"
#include "server/base/scale_limits.h"
#include "server/base/text_encoding.h"
#include "server/store/refusals.h"
#include "server/store/sql/accounts.h"
#include "server/store/sql/session/idempotent.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

// By the database's clock, so that all servers find it where they look.
constexpr Text kAddAct{
    "INSERT INTO acts (id, player_id, kind, operator_name, reason, until_ms, state_before,"
    " state_after, undoes, table_id, answer, created_ms)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '',"
    " (extract(epoch FROM clock_timestamp()) * 1000)::bigint) RETURNING created_ms",
    "INSERT INTO acts (id, player_id, kind, operator_name, reason, until_ms, state_before,"
    " state_after, undoes, table_id, answer, created_ms)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, '',"
    " CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)) RETURNING created_ms"};
// With the time of an act behind them, which for one that was undone may be that of the undoing.
const std::string kActColumns =
    "SELECT a.id, a.player_id, a.kind, a.operator_name, a.reason, a.until_ms, a.state_before,"
    " a.state_after, a.undoes, u.id, a.seen_ms, a.answer, a.answered_ms, a.table_id, ";
const std::string kActs =
    kActColumns + "a.created_ms FROM acts a LEFT JOIN acts u ON u.undoes = a.id WHERE ";
const std::string kNewestFirst = " ORDER BY a.created_ms DESC, a.id DESC";
const std::string kAct = kActs + "a.id = $1";
const std::string kActsOn = kActs + "a.player_id = $1" + kNewestFirst + " LIMIT $2";
const std::string kActsOnServers = kActs + "a.player_id IS NULL" + kNewestFirst + " LIMIT $1";
const std::string kActsInForce =
    kActs + "a.until_ms > $1 AND u.id IS NULL ORDER BY a.until_ms DESC, a.id DESC LIMIT $2";
const std::string kInForceOn =
    kActs + "a.player_id = $1 AND a.until_ms > $2 AND u.id IS NULL" + kNewestFirst;
const std::string kInForceOnServers =
    kActs + "a.player_id IS NULL AND a.until_ms > $1 AND u.id IS NULL" + kNewestFirst;
const std::string kActsSince =
    kActColumns +
    "n.created_ms FROM acts n JOIN acts a ON a.id = coalesce(n.undoes, n.id)"
    " LEFT JOIN acts u ON u.undoes = a.id WHERE n.created_ms >= $1"
    " ORDER BY n.created_ms DESC, n.id DESC LIMIT $2";
constexpr Text kSeeAct{
    "UPDATE acts SET seen_ms = coalesce(seen_ms, $3) WHERE id = $1 AND player_id = $2"
    " AND undoes IS NULL"};
constexpr Text kAnswerAct{
    "UPDATE acts SET answer = $3, answered_ms = $4 WHERE id = $1 AND player_id = $2"
    " AND undoes IS NULL AND answered_ms IS NULL"};
constexpr Text kIsAnswer{
    "SELECT 1 FROM acts WHERE id = $1 AND player_id = $2 AND answer = $3 AND answered_ms = $4"};
// "TESELC" in ASCII. On SQLite there is one writer.
constexpr Text kTakeTurn{"SELECT pg_advisory_xact_lock(92656726527043)", "SELECT 1"};
constexpr Text kNameOf{"SELECT display_name FROM players WHERE id = $1"};
// A handle goes with its name: it is kept, but nobody has it, for as long as after a change.
constexpr Text kTakeHandle{
    "UPDATE handles SET kept_until_ms = $2 WHERE player_id = $1 AND kept_until_ms IS NULL"};
constexpr Text kGiveHandleBack{
    "UPDATE handles SET kept_until_ms = NULL WHERE player_id = $1 AND '@' || handle = $2"
    " AND NOT EXISTS (SELECT 1 FROM handles WHERE player_id = $1 AND kept_until_ms IS NULL)"};
// A handle that is somebody else's by now is not given back.
constexpr Text kRename{
    "UPDATE players SET display_name = $3 WHERE id = $1 AND display_name = $2"
    " AND (substr($3, 1, 1) <> '@'"
    "  OR EXISTS (SELECT 1 FROM handles WHERE player_id = $1 AND '@' || handle = $3))"};

ActRow act_of(Row row) {
  return {.id = row.id<ActId>(0),
          .player = row.null(1) ? PlayerId{} : row.id<PlayerId>(1),
          .kind = row.one_of(2, ActKind::kWarn, ActKind::kVoidGame),
          .operator_name = row.text(3),
          .reason = row.text(4),
          .created_ms = row.number(14),
          .until_ms = row.number_or_none(5),
          .before = row.text(6),
          .after = row.text(7),
          .undoes = row.id_or_none<ActId>(8),
          .undone_by = row.id_or_none<ActId>(9),
          .seen_ms = row.number_or_none(10),
          .answer = row.text(11),
          .answered_ms = row.number_or_none(12),
          .table = row.id_or_none<TableId>(13)};
}

std::unexpected<Error> no_such_act() {
  return refuse(ErrorCode::kNotFound, "There is no such act.");
}

std::unexpected<Error> undone_before() {
  return refuse(ErrorCode::kTaken, "This act was undone before.");
}

std::string_view state_of(ActKind kind) {
  switch (kind) {
    case ActKind::kMute:
      return "muted";
    case ActKind::kRename:
      return "renamed";
    case ActKind::kSuspend:
      return "suspended";
    case ActKind::kBan:
      return "banned";
    case ActKind::kPauseMatchmaking:
      return "matchmaking paused";
    case ActKind::kPauseSignIns:
      return "sign-ins paused";
    case ActKind::kAnnounce:
      return "announcing";
    case ActKind::kVoidGame:
      return "void";
    case ActKind::kWarn:
    case ActKind::kUndo:
    case ActKind::kEndSessions:
      break;
  }
  return "";
}

/// What acts in force make of a player, or of the servers: "muted, suspended until 2026-11-29 10:15
/// UTC".
std::string state_of(const std::vector<ActRow>& in_force) {
  std::string text;
  for (const ActRow& act : in_force) {
    text += (text.empty() ? "" : ", ") + std::string(state_of(act.kind));
    if (*act.until_ms < kForEver) text += " until " + base::minute_text(*act.until_ms);
  }
  return text.empty() ? "free" : text;
}

/// An earlier try of the same act, if it was committed.
awaitable<std::optional<ActRow>> stored_act(WriteSession& session, ActId id) {
  const auto found = co_await session.run(Query(kAct.c_str()).id(id));
  if (found.empty()) co_return std::nullopt;
  co_return act_of(found[0]);
}

awaitable<std::vector<ActRow>> in_force_on(WriteSession& session, PlayerId player,
                                           std::int64_t now_ms) {
  Batch look;
  if (player == PlayerId{}) {
    look.add(kInForceOnServers.c_str()).number(now_ms);
  } else {
    look.add(kInForceOn.c_str()).id(player).number(now_ms);
  }
  const auto found = co_await session.run(std::move(look));
  co_return found[0].map(act_of);
}

awaitable<std::string> name_of(WriteSession& session, PlayerId player) {
  const auto found = co_await session.run(Query(kNameOf).id(player));
  co_return found[0].text(0);
}

/// Stores the row; sets its time.
awaitable<void> insert(WriteSession& session, ActRow& row) {
  Batch batch;
  Query& query = batch.add(kAddAct).id(row.id);
  static_cast<void>(row.player == PlayerId{} ? query.null() : query.id(row.player));
  query.one_of(row.kind).text(row.operator_name).text(row.reason);
  query.number_or_null(row.until_ms).text(row.before).text(row.after);
  query.id_or_null(row.undoes).id_or_null(row.table);
  const auto stored = co_await session.run(std::move(batch));
  row.created_ms = stored[0][0].number(0);
}

/// Nobody else acts on the player, or on all servers, until the session has ended. Error:
/// kNotFound (no such player).
awaitable<Expected<void>> lock(WriteSession& session, PlayerId player) {
  if (player == PlayerId{}) {
    static_cast<void>(co_await session.run(Query(kTakeTurn)));
    co_return Expected<void>{};
  }
  const auto account = co_await lock_account(session, player);
  if (!account) co_return std::unexpected(account.error());
  co_return Expected<void>{};
}

awaitable<Expected<std::vector<ActRow>>> read_acts(Session& session, Query query) {
  const auto rows = co_await session.finish(std::move(query));
  co_return rows.map(act_of);
}

}  // namespace

awaitable<Expected<Acted>> act(WriteSession& session, ActRow row, std::int64_t now_ms) {
  if (session.again()) {
    auto done = co_await stored_act(session, row.id);
    if (done) {
      co_await confirm(session);
      co_return Acted{.act = *std::move(done)};
    }
  }
  const auto locked = co_await lock(session, row.player);
  if (!locked) co_return std::unexpected(locked.error());
  auto in_force = co_await in_force_on(session, row.player, now_ms);
  const auto same = std::ranges::find(in_force, row.kind, &ActRow::kind);
  if (same != in_force.end() && row.kind != ActKind::kAnnounce) {
    co_return refuse(ErrorCode::kTaken, "Act " + base::to_text(same->id) + " is in force (" +
                                            std::string(state_of(row.kind)) + "): undo it first.");
  }
  Batch name;
  if (row.kind == ActKind::kRename) {
    row.before = co_await name_of(session, row.player);
    name.add(kRename).id(row.player).text(row.before).text(row.after);
    name.add(kTakeHandle).id(row.player).number(now_ms + limits::kHandleKept.count());
  } else if (row.kind == ActKind::kVoidGame) {
    row.before = "counts";
    row.after = state_of(row.kind);
  } else {
    row.before = state_of(in_force);
    if (row.until_ms) in_force.insert(in_force.begin(), row);
    row.after = state_of(in_force);
  }
  co_await insert(session, row);
  if (row.kind != ActKind::kBan && row.kind != ActKind::kEndSessions) {
    static_cast<void>(co_await session.finish(std::move(name)));
    co_return Acted{.act = std::move(row)};
  }
  auto ended = co_await end_sessions(session, row.player, std::nullopt, std::nullopt);
  if (!ended) co_return std::unexpected(std::move(ended.error()));
  co_return Acted{.act = std::move(row), .sessions = *std::move(ended)};
}

awaitable<Expected<Acted>> undo(WriteSession& session, ActRow undo, std::int64_t now_ms) {
  auto undone = co_await stored_act(session, *undo.undoes);
  if (!undone) co_return no_such_act();
  if (session.again() && undone->undone_by == undo.id) {
    co_await confirm(session);
    co_return Acted{.act = *std::move(undone)};
  }
  if (undone->kind == ActKind::kUndo) {
    co_return refuse(ErrorCode::kInvalidArgument, "This act undoes another one: act again.");
  }
  const auto locked = co_await lock(session, undone->player);
  if (!locked) co_return std::unexpected(locked.error());
  undone = co_await stored_act(session, *undo.undoes);
  if (!undone) co_return no_such_act();
  if (undone->undone_by) co_return undone_before();
  undo.kind = ActKind::kUndo;
  undo.player = undone->player;
  undo.until_ms.reset();
  Batch name;
  if (undone->kind == ActKind::kRename) {
    undo.before = co_await name_of(session, undo.player);
    undo.after = undo.before == undone->after ? undone->before : undo.before;
    name.add(kRename).id(undo.player).text(undo.before).text(undo.after);
    name.add(kGiveHandleBack).id(undo.player).text(undo.after);
  } else if (undone->kind == ActKind::kVoidGame) {
    undo.before = undone->after;
    undo.after = undone->before;
  } else {
    auto in_force = co_await in_force_on(session, undo.player, now_ms);
    undo.before = state_of(in_force);
    std::erase_if(in_force, [&](const ActRow& act) { return act.id == undone->id; });
    undo.after = state_of(in_force);
  }
  co_await insert(session, undo);
  static_cast<void>(co_await session.finish(std::move(name)));
  undone->undone_by = undo.id;
  co_return Acted{.act = *std::move(undone)};
}

awaitable<Expected<void>> see_act(WriteSession& session, PlayerId player, ActId act,
                                  const std::string& answer, std::int64_t at_ms) {
  Batch batch;
  batch.add(kSeeAct).id(act).id(player).number(at_ms);
  batch.add(kIsAnswer).id(act).id(player).text(answer).number(at_ms);
  if (!answer.empty()) batch.add(kAnswerAct).id(act).id(player).text(answer).number(at_ms);
  const auto answers = co_await session.run(std::move(batch));
  if (answers[0].changed() == 0) co_return no_such_act();
  const bool before = session.again() && !answers[1].empty();
  if (!answer.empty() && answers[2].changed() == 0 && !before) {
    co_return refuse(ErrorCode::kTaken, "You have answered this before.");
  }
  co_return co_await session.commit();
}

awaitable<Expected<std::vector<ActRow>>> acts(Session& session, PlayerId player, std::size_t max) {
  const bool of_servers = player == PlayerId{};
  Query query{(of_servers ? kActsOnServers : kActsOn).c_str()};
  if (!of_servers) query.id(player);
  query.count(max);
  return read_acts(session, std::move(query));
}

awaitable<Expected<ActRow>> find_act(Session& session, ActId id) {
  Query query{kAct.c_str()};
  query.id(id);
  auto found = co_await read_acts(session, std::move(query));
  if (!found) co_return std::unexpected(std::move(found.error()));
  if (found->empty()) co_return no_such_act();
  co_return std::move(found->front());
}

awaitable<Expected<std::vector<ActRow>>> acts_in_force(Session& session, std::int64_t now_ms,
                                                       std::size_t max) {
  Query query{kActsInForce.c_str()};
  query.number(now_ms).count(max);
  return read_acts(session, std::move(query));
}

awaitable<Expected<std::vector<ActRow>>> acts_since(Session& session, std::int64_t since_ms,
                                                    std::size_t max) {
  Query query{kActsSince.c_str()};
  query.number(since_ms).count(max);
  return read_acts(session, std::move(query));
}

}  // namespace tesela::store::sql
