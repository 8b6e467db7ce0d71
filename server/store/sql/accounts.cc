#include "server/store/sql/accounts.h"

#include <array>
#include <utility>

#include "server/base/scale_limits.h"
#include "server/store/refusals.h"
#include "server/store/sql/notices/notices.h"
#include "server/store/sql/players.h"
#include "server/store/sql/session/idempotent.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

constexpr Text kAddSession{
    "INSERT INTO sessions (id, player_id, created_ms, seen_ms, device, proof)"
    " VALUES ($1, $2, $3, $4, $5, $6)"};
constexpr Text kIsSession{"SELECT 1 FROM sessions WHERE id = $1 AND player_id = $2"};
constexpr Text kSession{
    "SELECT id, player_id, created_ms, seen_ms, ended_ms, device, proof FROM sessions"
    " WHERE id = $1"};
constexpr Text kSessions{
    "SELECT id, player_id, created_ms, seen_ms, ended_ms, device, proof FROM sessions"
    " WHERE player_id = $1 AND ended_ms IS NULL AND seen_ms >= $2 ORDER BY seen_ms DESC, id DESC"};
constexpr Text kSeeSession{
    "UPDATE sessions SET seen_ms = greatest(seen_ms, $2) WHERE id = $1 AND ended_ms IS NULL"};
constexpr Text kSeePlayerOf{"UPDATE players SET seen_ms = greatest(seen_ms, $2) WHERE id = $1"};
// By the database's clock, so that all servers find the end where they look.
constexpr Text kEndSessions{
    "UPDATE sessions SET ended_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    " WHERE player_id = $1 AND ended_ms IS NULL AND ($2::bigint = 0 OR id = $2) AND id <> $3"
    " RETURNING id",
    "UPDATE sessions SET ended_ms = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    " WHERE player_id = ?1 AND ended_ms IS NULL AND (?2 = 0 OR id = ?2) AND id <> ?3"
    " RETURNING id"};
constexpr Text kEndUnseen{
    "UPDATE sessions SET ended_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    " WHERE id IN (SELECT id FROM sessions WHERE player_id = $1 AND ended_ms IS NULL"
    " ORDER BY seen_ms DESC, id DESC LIMIT 1000000 OFFSET $2) RETURNING id",
    "UPDATE sessions SET ended_ms = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    " WHERE id IN (SELECT id FROM sessions WHERE player_id = ?1 AND ended_ms IS NULL"
    " ORDER BY seen_ms DESC, id DESC LIMIT 1000000 OFFSET ?2) RETURNING id"};
constexpr Text kDeleteDead{
    "DELETE FROM sessions WHERE player_id = $1 AND (ended_ms < $2 OR seen_ms < $2)"};
constexpr Text kEndedSessions{
    // Not "IS NOT NULL": SQLite would not take the index.
    "SELECT id, ended_ms FROM sessions WHERE ended_ms >= $1 ORDER BY ended_ms DESC, id DESC"
    " LIMIT $2"};

constexpr Text kLockAccount{
    "SELECT kind FROM players WHERE id = $1 AND erased_ms IS NULL FOR NO KEY UPDATE"};
constexpr Text kUseCredential{
    "UPDATE credentials SET uses = greatest(uses, $4), used_ms = $5"
    " WHERE id = $1 AND player_id = $2 AND secret = $3 AND (uses = 0 OR uses < $4)"};
constexpr Text kAddCredential{
    "INSERT INTO credentials (id, player_id, kind, name, secret, uses, created_ms)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7)"};
constexpr Text kIsCredential{
    "SELECT 1 FROM credentials WHERE id = $1 AND player_id = $2 AND secret = $3"
    " AND created_ms = $4"};
constexpr Text kDropCode{"DELETE FROM credentials WHERE player_id = $1 AND kind = 2"};
constexpr Text kCountCredentials{"SELECT count(*) FROM credentials WHERE player_id = $1"};
constexpr Text kBecomeMember{"UPDATE players SET kind = 4 WHERE id = $1 AND kind = 1"};
constexpr Text kBecomeGuest{"UPDATE players SET kind = 1 WHERE id = $1 AND kind = 4"};
constexpr Text kCredentials{
    "SELECT id, player_id, kind, name, secret, uses, created_ms, used_ms FROM credentials"
    " WHERE player_id = $1 ORDER BY created_ms, id"};
constexpr Text kCredential{
    "SELECT id, player_id, kind, name, secret, uses, created_ms, used_ms FROM credentials"
    " WHERE id = $1"};
constexpr Text kNameCredential{"UPDATE credentials SET name = $3 WHERE id = $1 AND player_id = $2"};
constexpr Text kRemoveCredential{"DELETE FROM credentials WHERE id = $1 AND player_id = $2"};

SessionRow session_of(Row row) {
  return {.id = row.id<SessionId>(0),
          .player = row.id<PlayerId>(1),
          .created_ms = row.number(2),
          .seen_ms = row.number(3),
          .ended_ms = row.number_or_none(4),
          .device = row.text(5),
          .proof = row.text(6)};
}

CredentialRow credential_of(Row row) {
  return {.id = row.text(0),
          .player = row.id<PlayerId>(1),
          .kind = row.one_of(2, CredentialKind::kPasskey, CredentialKind::kOidc),
          .name = row.text(3),
          .secret = row.text(4),
          .uses = row.number(5),
          .created_ms = row.number(6),
          .used_ms = row.number_or_none(7)};
}

void add(Batch& batch, const SessionRow& row) {
  Query& query = batch.add(kAddSession)
                     .id(row.id)
                     .id(row.player)
                     .number(row.created_ms)
                     .number(row.seen_ms)
                     .text(row.device);
  static_cast<void>(row.proof.empty() ? query.null() : query.bytes(row.proof));
}

Query is_session(const SessionRow& row) {
  return Query(kIsSession).id(row.id).id(row.player);
}

std::unexpected<Error> no_such_credential() {
  return refuse(ErrorCode::kNotFound, "You have no such credential: look at the list again.");
}

std::unexpected<Error> id_taken(const Violation& /*violation*/) {
  return refuse(ErrorCode::kInternal, "This player's or session's id is taken.");
}

std::unexpected<Error> used_before(const Violation& violation) {
  if (violation.constraint() == Violation::Of::kForeignKey) return no_such_player();
  return refuse(ErrorCode::kPermissionDenied,
                "This answer to a challenge was used before: ask for another challenge.");
}

std::unexpected<Error> credential_taken(const Violation& /*violation*/) {
  return refuse(ErrorCode::kTaken,
                "This way to sign in is registered already, here or for another"
                " account: sign in with it, or take another one.");
}

awaitable<Expected<void>> check_use(WriteSession& session, const SessionRow& row,
                                    const CredentialUse& use) {
  Query change(kUseCredential);
  change.bytes(use.id).id(row.player).bytes(use.secret).number(use.uses).number(row.created_ms);
  const auto rows = co_await session.run(std::move(change));
  if (rows.changed() == 1) co_return Expected<void>{};
  co_return refuse(ErrorCode::kPermissionDenied,
                   "This credential was removed or replaced, or its counter went back, as that of"
                   " a copy does: sign in in another way.");
}

}  // namespace

awaitable<Expected<PlayerKind>> lock_account(WriteSession& session, PlayerId player) {
  const auto found = co_await session.run(Query(kLockAccount).id(player));
  if (found.empty()) co_return no_such_player();
  co_return found[0].one_of(0, PlayerKind::kPerson, PlayerKind::kMember);
}

awaitable<Expected<void>> add_guest(WriteSession& session, const PlayerRow& player,
                                    const SessionRow& first) {
  auto insert = [&](WriteSession& in) -> awaitable<Expected<void>> {
    Batch batch;
    insert_player(batch, player);
    add(batch, first);
    co_return co_await in.commit(std::move(batch));
  };
  co_return co_await idempotent(session, is_session(first), id_taken, insert);
}

awaitable<Expected<std::vector<SessionId>>> add_session(WriteSession& session,
                                                        const SessionRow& row,
                                                        const std::optional<CredentialUse>& use,
                                                        std::int64_t dead_before_ms) {
  std::vector<SessionId> ended;
  auto insert = [&](WriteSession& in) -> awaitable<Expected<void>> {
    const auto account = co_await lock_account(in, row.player);
    if (!account) co_return std::unexpected(account.error());
    if (use) {
      const auto checked = co_await check_use(in, row, *use);
      if (!checked) co_return checked;
    }
    Batch batch;
    add(batch, row);
    batch.add(kSeePlayerOf).id(row.player).number(row.seen_ms);
    batch.add(kEndUnseen).id(row.player).count(limits::kSessionsPerPlayer);
    batch.add(kDeleteDead).id(row.player).number(dead_before_ms);
    remove_devices_of_ended(batch, row.player);
    const auto answers = co_await in.finish(std::move(batch));
    ended = answers[2].ids<SessionId>();
    co_return Expected<void>{};
  };
  const auto added = co_await idempotent(session, is_session(row), used_before, insert);
  if (!added) co_return std::unexpected(added.error());
  co_return ended;
}

awaitable<Expected<SessionRow>> session_row(Session& session, SessionId id) {
  const auto rows = co_await session.finish(Query(kSession).id(id));
  if (rows.empty()) co_return refuse(ErrorCode::kNotFound, "There is no such session.");
  co_return session_of(rows[0]);
}

awaitable<Expected<std::vector<SessionRow>>> sessions(Session& session, PlayerId player,
                                                      std::int64_t seen_since_ms) {
  const auto rows = co_await session.finish(Query(kSessions).id(player).number(seen_since_ms));
  co_return rows.map(session_of);
}

awaitable<Expected<void>> see_session(WriteSession& session, SessionId id, PlayerId player,
                                      std::int64_t at_ms) {
  Batch batch;
  batch.add(kSeePlayerOf).id(player).number(at_ms);
  batch.add(kSeeSession).id(id).number(at_ms);
  co_return co_await session.commit(std::move(batch));
}

awaitable<Expected<std::vector<SessionId>>> end_sessions(WriteSession& session, PlayerId player,
                                                         std::optional<SessionId> only,
                                                         std::optional<SessionId> but) {
  Batch batch;
  batch.add(kEndSessions).id(player).id(only.value_or(SessionId{0})).id(but.value_or(SessionId{0}));
  remove_devices_of_ended(batch, player);
  const auto answers = co_await session.finish(std::move(batch));
  co_return answers[0].ids<SessionId>();
}

awaitable<Expected<std::vector<EndedSession>>> ended_sessions(Session& session,
                                                              std::int64_t since_ms,
                                                              std::size_t max) {
  const auto rows = co_await session.finish(Query(kEndedSessions).number(since_ms).count(max));
  co_return rows.map(
      [](Row row) { return EndedSession{.id = row.id<SessionId>(0), .ended_ms = row.number(1)}; });
}

awaitable<Expected<void>> add_credential(WriteSession& session, const CredentialRow& row) {
  auto insert = [&row](WriteSession& in) -> awaitable<Expected<void>> {
    const auto kind = co_await lock_account(in, row.player);
    if (!kind) co_return std::unexpected(kind.error());
    if (*kind != PlayerKind::kGuest && *kind != PlayerKind::kMember) {
      co_return refuse(ErrorCode::kPermissionDenied,
                       "This account is not kept here: whoever issues its tokens signs it in.");
    }
    Batch look;
    if (row.kind == CredentialKind::kRecoveryCode) look.add(kDropCode).id(row.player);
    look.add(kCountCredentials).id(row.player);
    const auto found = co_await in.run(std::move(look));
    if (found.back()[0].number(0) >= std::int64_t{limits::kCredentialsPerPlayer}) {
      co_return refuse(ErrorCode::kResourceExhausted,
                       "You have as many ways to sign in as one account may: remove one first.");
    }
    Batch batch;
    batch.add(kBecomeMember).id(row.player);
    batch.add(kAddCredential)
        .bytes(row.id)
        .id(row.player)
        .one_of(row.kind)
        .text(row.name)
        .bytes(row.secret)
        .number(row.uses)
        .number(row.created_ms);
    co_return co_await in.commit(std::move(batch));
  };
  Query question(kIsCredential);
  question.bytes(row.id).id(row.player).bytes(row.secret).number(row.created_ms);
  co_return co_await idempotent(session, std::move(question), credential_taken, insert);
}

awaitable<Expected<std::vector<CredentialRow>>> credentials(Session& session, PlayerId player) {
  const auto rows = co_await session.finish(Query(kCredentials).id(player));
  co_return rows.map(credential_of);
}

awaitable<Expected<CredentialRow>> credential(Session& session, const std::string& id) {
  const auto rows = co_await session.finish(Query(kCredential).bytes(id));
  if (rows.empty()) co_return refuse(ErrorCode::kNotFound, "There is no such credential.");
  co_return credential_of(rows[0]);
}

awaitable<Expected<void>> name_credential(WriteSession& session, PlayerId player,
                                          const std::string& id, const std::string& name) {
  const auto rows = co_await session.finish(Query(kNameCredential).bytes(id).id(player).text(name));
  if (rows.changed() == 0) co_return no_such_credential();
  co_return Expected<void>{};
}

awaitable<Expected<void>> remove_credential(WriteSession& session, PlayerId player,
                                            const std::string& id, bool last_too) {
  const auto kind = co_await lock_account(session, player);
  if (!kind) co_return std::unexpected(kind.error());
  Batch batch;
  batch.add(kRemoveCredential).bytes(id).id(player);
  batch.add(kCountCredentials).id(player);
  const auto answers = co_await session.run(std::move(batch));
  const bool last = answers[1][0].number(0) == 0;
  // An earlier try may have removed it.
  if (answers[0].changed() == 0 && !session.again()) co_return no_such_credential();
  if (answers[0].changed() == 1 && last && !last_too) {
    co_return refuse(ErrorCode::kLastCredential,
                     "This is the last way to come back to your account: without it, and signed"
                     " out, everything is lost. Add another one first, or confirm.");
  }
  Batch guest;
  if (last) guest.add(kBecomeGuest).id(player);
  co_return co_await session.commit(std::move(guest));
}

void delete_account_of(Batch& batch, PlayerId player) {
  static constexpr std::array kLeavings{
      Text{"DELETE FROM sessions WHERE player_id = $1"},
      Text{"DELETE FROM credentials WHERE player_id = $1"},
      Text{"DELETE FROM acts WHERE player_id = $1"},
      Text{"DELETE FROM reports WHERE player_id = $1"},
      Text{"DELETE FROM reports WHERE reporter_id = $1"},
      Text{"DELETE FROM report_lines WHERE player_id = $1"},
      kBecomeGuest,
  };
  for (const Text& rows : kLeavings) batch.add(rows).id(player);
}

}  // namespace tesela::store::sql
