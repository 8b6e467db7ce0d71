#include "server/ops/admin/table_inspection.h"

#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "server/base/clock.h"
#include "server/base/text_encoding.h"
#include "server/codec/record.h"
#include "server/ops/admin/admin_proto.h"

namespace tesela::ops {
namespace {

namespace pb = admin::v1;
using boost::asio::awaitable;
using google::protobuf::util::TimeUtil;
using std::chrono::milliseconds;

constexpr std::uint64_t kEventsShown = 10;
/// A table whose move waits longer for the store is shown without asking the store.
constexpr milliseconds kStoreWaitShown{1000};

pb::TableTimer& add_timer(pb::TableTimerKind kind, milliseconds left,
                          pb::InspectTableResponse& shown) {
  auto& timer = *shown.add_timers();
  timer.set_kind(kind);
  *timer.mutable_left() = TimeUtil::MillisecondsToDuration(std::max<std::int64_t>(left.count(), 0));
  return timer;
}

void add_timer(pb::TableTimerKind kind, const tables::LiveView::Left& left,
               pb::InspectTableResponse& shown) {
  if (left) add_timer(kind, *left, shown);
}

/// From when on the others may claim the game.
void add_claims(const store::TableRow& row, pb::InspectTableResponse& shown) {
  const auto& seating = shown.seating();
  if (row.state != store::TableState::kInPlay || seating.claim_after_ms() == 0) return;
  const std::int64_t after = seating.claim_after_ms();
  for (const auto& seat : seating.seats()) {
    if (seat.away_ms() == 0 || seat.resigned()) continue;
    const milliseconds left{after - seat.away_ms()};
    add_timer(pb::TABLE_TIMER_KIND_CLAIM, left, shown).set_seat(seat.seat());
  }
}

void add_work(const tables::LiveView& live, pb::InspectTableResponse& shown) {
  auto& work = *shown.mutable_work();
  work.set_inbox(static_cast<std::uint32_t>(live.inbox));
  work.set_busy(live.busy);
  if (live.store_wait) {
    *work.mutable_store_wait() = TimeUtil::MillisecondsToDuration(live.store_wait->count());
  }
  work.set_bot_searches(live.bot_searches);
  work.set_bots_rest(live.bots_rest);
}

void add_live(const tables::LiveView& live, milliseconds table_idle,
              pb::InspectTableResponse& shown) {
  const bool begun = live.version != Version{};
  shown.set_version(live.version.value);
  *shown.mutable_updated_at() =
      TimeUtil::MillisecondsToTimestamp(begun ? live.at_ms : live.row.created_ms);
  add_live_view(live, shown);
  add_work(live, shown);
  add_claims(live.row, shown);
  add_timer(pb::TABLE_TIMER_KIND_COME, live.until_stood_up, shown);
  add_timer(pb::TABLE_TIMER_KIND_BOTS, live.until_bots, shown);
  add_timer(pb::TABLE_TIMER_KIND_BEGIN, live.until_begun, shown);
  if (live.idle) add_timer(pb::TABLE_TIMER_KIND_UNLOAD, table_idle - *live.idle, shown);
}

}  // namespace

awaitable<Expected<pb::InspectTableResponse>> TableInspection::inspect(TableId id) {
  pb::InspectTableResponse shown;
  const auto live = co_await tables_.look_at(id);
  store::TableRow row;
  if (live) {
    row = live->row;
    add_live(*live, parts_.config.table_idle, shown);
  } else {
    auto stored = co_await add_stored(id, shown);
    if (!stored) co_return std::unexpected(std::move(stored.error()));
    row = std::move(*stored);
  }
  shown.set_epoch(row.epoch.value);
  *shown.mutable_summary() = to_proto(row, live);
  add_end(row, shown);
  if (live && live->store_wait > kStoreWaitShown) {
    shown.set_recent_missing("The store does not answer.");
  } else if (shown.version() > 0) {
    const auto added = co_await add_recent(id, shown);
    if (!added) shown.set_recent_missing(added.error().message);
  }
  co_return shown;
}

awaitable<Expected<store::TableRow>> TableInspection::add_stored(TableId id,
                                                                 pb::InspectTableResponse& shown) {
  auto row = co_await parts_.directory.stored(id);
  if (!row) co_return row;
  const auto last = co_await parts_.log.last(id);
  if (!last) {
    if (last.error().code != ErrorCode::kCorrupt) co_return std::unexpected(last.error());
    shown.set_recent_missing(last.error().message);
    co_return row;
  }
  std::int64_t updated_ms = row->created_ms;
  if (*last) {
    shown.set_version((*last)->version.value);
    const auto record = codec::decode_record((*last)->record);
    if (!record) co_return row;
    updated_ms = record->at_ms;
  }
  *shown.mutable_updated_at() = TimeUtil::MillisecondsToTimestamp(updated_ms);
  co_return row;
}

awaitable<Expected<void>> TableInspection::add_recent(TableId id, pb::InspectTableResponse& shown) {
  const std::uint64_t version = shown.version();
  lobby::v1::ReplayRequest request;
  request.set_table_id(base::to_text(id));
  request.set_from_version(version > kEventsShown ? version - kEventsShown : 1);
  request.set_to_version(version);
  history::Invitation everything{.by_pass = true};
  const auto stream = replays_.show(request, {}, nullptr, std::move(everything));
  if (!stream) co_return std::unexpected(stream.error());
  for (;;) {
    const auto next = co_await (*stream)->next();
    if (!next) co_return std::unexpected(next.error());
    if (!*next) co_return Expected<void>{};
    const auto& frame = static_cast<const lobby::v1::ReplayResponse&>(**next);
    *shown.add_recent() = frame.frame();
  }
}

/// When the table is closed, or may be deleted.
void TableInspection::add_end(const store::TableRow& row, pb::InspectTableResponse& shown) const {
  const auto add = [&](pb::TableTimerKind kind, std::int64_t since_ms, milliseconds time) {
    add_timer(kind, milliseconds{since_ms - base::unix_ms()} + time, shown);
  };
  if (row.state == store::TableState::kOpen) {
    add(pb::TABLE_TIMER_KIND_CLOSE, row.created_ms, parts_.config.waiting_max);
  } else if (row.state == store::TableState::kInPlay) {
    if (!shown.has_updated_at()) return;
    add(pb::TABLE_TIMER_KIND_CLOSE, TimeUtil::TimestampToMilliseconds(shown.updated_at()),
        parts_.config.abandoned_after);
  } else if (row.ending && parts_.config.keep_games.count() > 0) {
    add(pb::TABLE_TIMER_KIND_KEEP, row.ending->ended_ms, parts_.config.keep_games);
  }
}

}  // namespace tesela::ops
