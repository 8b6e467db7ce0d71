#include "server/directory/live_tables.h"

namespace tesela::directory {

using std::chrono::steady_clock;

Expected<std::shared_ptr<quota::Places>> LiveTables::hold(quota::Gate& gate,
                                                          const quota::AccountPtr& from,
                                                          PlayerId player) {
  {
    const std::lock_guard lock{mutex_};
    drop_unopened(steady_clock::now());
  }
  auto places = gate.hold(quota::Held::kLiveTable, from, player);
  if (!places) return std::unexpected(std::move(places.error()));
  return std::make_shared<quota::Places>(std::move(*places));
}

void LiveTables::add(TableId table, TablePlaces places) {
  const auto now = steady_clock::now();
  const std::lock_guard lock{mutex_};
  drop_unopened(now);
  if (!live_.emplace(table, Live{.places = std::move(places)}).second) return;
  unopened_.emplace_back(now + unopened_max_, table);
}

void LiveTables::opened(TableId table) {
  const std::lock_guard lock{mutex_};
  if (const auto found = live_.find(table); found != live_.end()) found->second.opened = true;
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
