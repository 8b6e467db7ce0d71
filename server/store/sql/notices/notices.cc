#include "server/store/sql/notices/notices.h"

#include <utility>

#include "server/base/absence_limits.h"
#include "server/base/crypto.h"
#include "server/store/refusals.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

// A device of nobody is the webhook. Where a notice was sent, nothing is due. Of the challenges of
// one player that come within an hour the first is told, and stays known while it may be answered.
constexpr Text kAddNotice{
    "INSERT INTO notices (device_id, player_id, kind, subject, table_id, from_id, version, due_ms,"
    " until_ms, tries) SELECT d.id, p.id, $2::bigint, $3::text, $4::bigint, $5::bigint,"
    " $6::bigint, $7::bigint, $8::bigint, 0"
    " FROM players p JOIN push_devices d ON d.player_id = p.id OR d.player_id IS NULL"
    " WHERE p.id = $1 AND p.kind <> 3 AND p.erased_ms IS NULL AND (p.told & $9::bigint) <> 0"
    " AND NOT ($2::bigint = 3 AND EXISTS (SELECT 1 FROM notices o WHERE o.device_id = d.id"
    "  AND o.player_id = p.id AND o.kind = 3 AND o.from_id = $5::bigint AND o.subject <> $3::text"
    "  AND o.until_ms > $8::bigint - 3600000 AND o.until_ms <= $8::bigint))"
    " ON CONFLICT (device_id, player_id, kind, subject) DO UPDATE SET until_ms = excluded.until_ms,"
    " due_ms = CASE WHEN notices.due_ms IS NULL THEN NULL ELSE excluded.due_ms END"};
constexpr Text kDropFormerTurns{
    "DELETE FROM notices WHERE table_id = $1 AND kind <= 2 AND version < $2"};
constexpr Text kAnyDue{
    "SELECT EXISTS (SELECT 1 FROM notices WHERE due_ms <= $1)"
    " OR EXISTS (SELECT 1 FROM notices WHERE until_ms <= $1)"};
constexpr Text kDropOver{"DELETE FROM notices WHERE until_ms <= $1"};
constexpr Text kLockDue{
    "SELECT id FROM notices WHERE due_ms <= $1 ORDER BY due_ms LIMIT $2 FOR UPDATE SKIP LOCKED"};
constexpr Text kLease{"UPDATE notices SET due_ms = $2, tries = tries + 1 WHERE id = ANY($1)"};
// A turn holds in a game in play, a rematch while its table is open, and a challenge while it waits
// for the player, or the player for the game that it has become; none that the player does not want
// to be told any more, or of somebody who is blocked.
constexpr Text kDue{
    "SELECT n.id, n.kind, p.id, p.display_name, n.subject, n.table_id,"
    " coalesce(t.game, c.game, ''), coalesce(f.display_name, ''), n.version, n.until_ms, n.tries,"
    " (p.told & CASE n.kind WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 4 ELSE 8 END) <> 0"
    " AND NOT (n.kind >= 3 AND EXISTS (SELECT 1 FROM blocks b WHERE b.player_id = p.id"
    "  AND b.blocked_id = n.from_id))"
    " AND CASE n.kind WHEN 3 THEN coalesce(c.state = 1 AND c.to_id = p.id"
    "   OR c.state = 2 AND c.from_id = p.id, false)"
    "  WHEN 4 THEN coalesce(t.state = 3, false) ELSE coalesce(t.state = 1, false) END,"
    " p.quiet_from, p.quiet_to, p.quiet_zone, d.endpoint, d.p256dh, d.auth"
    " FROM notices n JOIN push_devices d ON d.id = n.device_id"
    " JOIN players p ON p.id = n.player_id LEFT JOIN players f ON f.id = n.from_id"
    " LEFT JOIN tables t ON t.id = n.table_id"
    " LEFT JOIN challenges c ON n.kind = 3 AND c.id = n.subject WHERE n.id = ANY($1)"};
constexpr Text kSettle{"UPDATE notices SET due_ms = $3, tries = $4 WHERE id = $1 AND due_ms = $2"};

constexpr std::int64_t kWebhook = 0;
constexpr Text kAddWebhook{
    "INSERT INTO push_devices (id, endpoint, p256dh, auth, since_ms) VALUES ($1, '', $2, $2, 0)"
    " ON CONFLICT (id) DO NOTHING"};
constexpr Text kRemoveDevice{"DELETE FROM push_devices WHERE id = $1"};
constexpr Text kRemoveDeviceOf{"DELETE FROM push_devices WHERE id = $1 AND player_id = $2"};
constexpr Text kLockOwner{
    "SELECT 1 FROM players WHERE id = $1 AND erased_ms IS NULL FOR NO KEY UPDATE"};
constexpr Text kLockSession{
    "SELECT 1 FROM sessions WHERE id = $1 AND player_id = $2 AND ended_ms IS NULL FOR UPDATE"};
constexpr Text kAddDevice{
    "INSERT INTO push_devices (id, player_id, session_id, endpoint, p256dh, auth, since_ms)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE SET"
    " since_ms = CASE WHEN push_devices.player_id = excluded.player_id THEN push_devices.since_ms"
    "  ELSE excluded.since_ms END, player_id = excluded.player_id,"
    " session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth"};
constexpr Text kDropNoticesOfOthers{"DELETE FROM notices WHERE device_id = $1 AND player_id <> $2"};
constexpr Text kRemoveOldest{
    "DELETE FROM push_devices WHERE id IN (SELECT id FROM push_devices WHERE player_id = $1"
    " ORDER BY since_ms DESC, id DESC LIMIT 1000 OFFSET $2)"};
constexpr Text kRemoveOfEnded{
    "DELETE FROM push_devices WHERE player_id = $1 AND session_id IN"
    " (SELECT id FROM sessions WHERE player_id = $1 AND ended_ms IS NOT NULL)"};
constexpr Text kChoices{"SELECT told, quiet_from, quiet_to, quiet_zone FROM players WHERE id = $1"};
constexpr Text kEndpoints{
    "SELECT endpoint FROM push_devices WHERE player_id = $1 ORDER BY since_ms DESC, id DESC"};
constexpr Text kSetChoices{
    "UPDATE players SET told = $2, quiet_from = $3, quiet_to = $4, quiet_zone = $5"
    " WHERE id = $1 AND erased_ms IS NULL"};

/// A device's id: an index of endpoints would hold long keys.
std::int64_t device_id(std::string_view endpoint) {
  const base::Sha256 hash = base::sha256(endpoint);
  std::uint64_t id = 0;
  for (std::size_t i = 0; i < sizeof id; ++i) id = id << 8U | hash[i];
  return static_cast<std::int64_t>(id >> 1U);
}

QuietHours quiet_of(Row row, int column) {
  return {.from_minute = row.small<std::uint16_t>(column),
          .to_minute = row.small<std::uint16_t>(column + 1),
          .time_zone = row.text(column + 2)};
}

DueNotice due_of(Row row) {
  DueNotice notice{.id = static_cast<std::uint64_t>(row.number(0)),
                   .kind = row.one_of(1, NoticeKind::kYourTurn, NoticeKind::kRematch),
                   .player = row.id<PlayerId>(2),
                   .player_name = row.text(3),
                   .subject = row.text(4),
                   .table = row.id_or_none<TableId>(5),
                   .game = row.text(6),
                   .from_name = row.text(7),
                   .version = row.id<Version>(8),
                   .until_ms = row.number(9),
                   .tries = row.number(10),
                   .holds = row.flag(11),
                   .quiet = quiet_of(row, 12),
                   .device = {}};
  if (PushDevice device{row.text(15), row.text(16), row.text(17)}; !device.endpoint.empty()) {
    notice.device = std::move(device);
  }
  return notice;
}

}  // namespace

void add_notice(Batch& batch, const NewNotice& notice) {
  batch.add(kAddNotice)
      .id(notice.player)
      .one_of(notice.kind)
      .text(notice.subject)
      .id_or_null(notice.table)
      .id_or_null(notice.from)
      .id(notice.version)
      .number(notice.due_ms)
      .number(notice.until_ms)
      .number(bit_of(notice.kind));
}

awaitable<Expected<void>> add_notices(WriteSession& session,
                                      const std::vector<NewNotice>& notices) {
  Batch batch;
  for (const NewNotice& notice : notices) {
    if (notice.kind == NoticeKind::kYourTurn && notice.table) {
      batch.add(kDropFormerTurns).id(*notice.table).id(notice.version);
    }
    add_notice(batch, notice);
  }
  return session.commit(std::move(batch));
}

awaitable<Expected<bool>> notices_due(Session& session, std::int64_t now_ms) {
  const auto rows = co_await session.finish(Query(kAnyDue).number(now_ms));
  co_return rows[0].flag(0);
}

awaitable<Expected<std::vector<DueNotice>>> claim_notices(WriteSession& session,
                                                          std::int64_t now_ms,
                                                          std::int64_t lease_ms, std::size_t max) {
  Batch look;
  look.add(kDropOver).number(now_ms);
  look.add(kLockDue).number(now_ms).count(max);
  const auto found = co_await session.run(std::move(look));
  std::vector<std::int64_t> ids;
  for (const Row row : found[1]) ids.push_back(row.number(0));
  Batch batch;
  batch.add(kLease).numbers(ids).number(lease_ms);
  batch.add(kDue).numbers(ids);
  const auto answers = co_await session.finish(std::move(batch));
  auto due = answers[1].map(due_of);
  for (DueNotice& notice : due) notice.lease_ms = lease_ms;
  co_return due;
}

awaitable<Expected<void>> settle_notice(WriteSession& session, std::uint64_t id,
                                        std::int64_t lease_ms, std::optional<std::int64_t> due_ms,
                                        std::int64_t tries) {
  Query change(kSettle);
  change.number(static_cast<std::int64_t>(id)).number(lease_ms);
  return session.commit(change.number_or_null(due_ms).number(tries));
}

awaitable<Expected<void>> set_webhook(WriteSession& session, bool on) {
  Batch batch;
  Query& query = batch.add(on ? kAddWebhook : kRemoveDevice).number(kWebhook);
  if (on) query.bytes({});
  return session.commit(std::move(batch));
}

awaitable<Expected<void>> add_device(WriteSession& session, PlayerId player, SessionId of,
                                     const PushDevice& device, std::int64_t at_ms) {
  Batch look;
  look.add(kLockOwner).id(player);
  look.add(kLockSession).id(of).id(player);
  const auto found = co_await session.run(std::move(look));
  if (found[0].empty()) co_return no_such_player();
  if (found[1].empty() && of != SessionId{}) {
    co_return refuse(ErrorCode::kSessionEnded, "This session was ended: sign in again.");
  }
  const std::int64_t id = device_id(device.endpoint);
  Batch batch;
  Query& query = batch.add(kAddDevice).number(id).id(player);
  static_cast<void>(of != SessionId{} ? query.id(of) : query.null());
  query.text(device.endpoint).bytes(device.p256dh).bytes(device.auth).number(at_ms);
  batch.add(kDropNoticesOfOthers).number(id).id(player);
  batch.add(kRemoveOldest).id(player).count(limits::kDevicesPerPlayer);
  co_return co_await session.commit(std::move(batch));
}

awaitable<Expected<void>> remove_device(WriteSession& session, const std::string& endpoint,
                                        std::optional<PlayerId> player) {
  Batch batch;
  Query& query = batch.add(player ? kRemoveDeviceOf : kRemoveDevice).number(device_id(endpoint));
  if (player) query.id(*player);
  return session.commit(std::move(batch));
}

awaitable<Expected<NotificationLists>> notifications(Session& session, PlayerId player) {
  Batch batch;
  batch.add(kChoices).id(player);
  batch.add(kEndpoints).id(player);
  const auto answers = co_await session.finish(std::move(batch));
  if (answers[0].empty()) co_return no_such_player();
  const Row row = answers[0][0];
  co_return NotificationLists{
      .choices = {.kinds = row.small<std::uint8_t>(0), .quiet = quiet_of(row, 1)},
      .endpoints = answers[1].map([](Row each) { return each.text(0); })};
}

awaitable<Expected<void>> set_notifications(WriteSession& session, PlayerId player,
                                            const NoticeChoices& choices) {
  const QuietHours& quiet = choices.quiet;
  Query change(kSetChoices);
  change.id(player).number(choices.kinds).number(quiet.from_minute).number(quiet.to_minute);
  const auto rows = co_await session.finish(change.text(quiet.time_zone));
  if (rows.changed() == 0) co_return no_such_player();
  co_return Expected<void>{};
}

void remove_devices_of_ended(Batch& batch, PlayerId player) {
  batch.add(kRemoveOfEnded).id(player);
}

}  // namespace tesela::store::sql
