#include "server/directory/lobby/live_tables.h"

#include <algorithm>

namespace tesela::directory {

using std::chrono::steady_clock;

Expected<SlotsPtr> LiveTables::hold(quota::AdmissionControl& admission, const quota::QuotaPtr& from,
                                    PlayerId player) {
  {
    const std::lock_guard lock{mutex_};
    drop_unopened(steady_clock::now());
  }
  auto slots = admission.hold(quota::Held::kLiveTable, from, player);
  if (!slots) return std::unexpected(std::move(slots.error()));
  return std::make_shared<quota::Slots>(std::move(*slots));
}

void LiveTables::add(TableId table, TableSlots slots) {
  const auto now = steady_clock::now();
  const std::lock_guard lock{mutex_};
  drop_unopened(now);
  if (!live_.emplace(table, Live{.slots = std::move(slots)}).second) return;
  unopened_.emplace_back(now + unopened_max_, table);
}

bool LiveTables::counts(TableId table, PlayerId player) {
  const std::lock_guard lock{mutex_};
  const auto found = live_.find(table);
  return found != live_.end() && found->second.holds(player);
}

void LiveTables::sat_down(TableId table, PlayerId player, SlotsPtr slots) {
  const std::lock_guard lock{mutex_};
  Live& live = live_[table];
  live.opened = true;
  if (!live.holds(player)) live.slots.emplace_back(player, std::move(slots));
}

void LiveTables::changed(const store::TableRow& row) {
  const std::lock_guard lock{mutex_};
  const auto found = live_.find(row.id);
  if (found == live_.end()) return;
  std::erase_if(found->second.slots, [&row](const auto& held) {
    return held.first != row.owner &&
           std::ranges::find(row.seats, held.first, &store::SeatRow::player) == row.seats.end();
  });
}

void LiveTables::merged(PlayerId guest, PlayerId account) {
  const std::lock_guard lock{mutex_};
  for (auto& [id, live] : live_) {
    for (auto& [player, slots] : live.slots) {
      if (player == guest) player = account;
    }
  }
}

void LiveTables::opened(TableId table) {
  const std::lock_guard lock{mutex_};
  if (const auto found = live_.find(table); found != live_.end()) found->second.opened = true;
}

void LiveTables::handed_over(TableId table) {
  const auto now = steady_clock::now();
  const std::lock_guard lock{mutex_};
  drop_unopened(now);
  const auto found = live_.find(table);
  if (found == live_.end()) return;
  found->second.opened = false;
  unopened_.emplace_back(now + unopened_max_, table);
}

void LiveTables::ended(TableId table) {
  const std::lock_guard lock{mutex_};
  live_.erase(table);
}

void LiveTables::drop_unopened(Time now) {
  while (!unopened_.empty() && unopened_.front().first <= now) {
    const auto found = live_.find(unopened_.front().second);
    if (found != live_.end() && !found->second.opened) live_.erase(found);
    unopened_.pop_front();
  }
}

}  // namespace tesela::directory
