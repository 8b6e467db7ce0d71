#include "server/retention/retention.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "server/base/clock.h"
#include "server/base/log/seldom_log.h"
#include "server/base/scale_limits.h"

namespace tesela::retention {

using boost::asio::awaitable;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

milliseconds interval_of(milliseconds games, milliseconds guests) {
  milliseconds interval = limits::kRetentionInterval;
  for (const milliseconds time : {games, guests}) {
    if (time.count() > 0) interval = std::min(interval, time / 4);
  }
  return std::max(interval, limits::kRetentionPause);
}

bool has_room(const store::Removal& removal) {
  return removal.tables.size() < limits::kRemovedTablesAtOnce;
}

}  // namespace

Retention::Retention(Parts parts)
    : Worker(parts.loop, "search for data to delete"),
      parts_(std::move(parts)),
      interval_(interval_of(parts_.keep_games, parts_.keep_guests)) {}

awaitable<void> Retention::run() {
  co_await pause(std::min<milliseconds>(interval_, limits::kRetentionBegins));
  while (!stopping()) {
    co_await search();
    co_await pause(interval_);
  }
}

awaitable<void> Retention::search() {
  if (!parts_.on_duty()) {
    late_ = {};
    tell_open_reports({});
  }
  store::Removed all;
  while (!stopping() && parts_.on_duty()) {
    const auto removed = co_await step(base::unix_ms());
    if (!removed) {
      static base::SeldomLog lines;
      lines.log(spdlog::level::warn, "old data is not deleted: {}", removed.error().message);
      break;
    }
    all.tables += removed->tables;
    all.guests += removed->guests;
    if (!removed->more) break;
    co_await pause(limits::kRetentionPause);
  }
  if (all.tables + all.guests > 0) {
    spdlog::info("{} old tables and {} silent guests were deleted", all.tables, all.guests);
  }
}

awaitable<Expected<store::Removed>> Retention::step(std::int64_t now_ms) {
  Before before;
  if (parts_.keep_games.count() > 0) before.games_ms = now_ms - parts_.keep_games.count();
  before.guests_ms = now_ms - parts_.keep_guests.count();
  store::Removal removal{.silent_since_ms = before.guests_ms, .now_ms = now_ms};
  removal.reports_closed_before_ms = now_ms - milliseconds{limits::kKeepReports}.count();
  LateSearch late = late_;
  auto more_tables = co_await add_tables(before, removal);
  if (more_tables && !*more_tables) more_tables = co_await add_late_tables(before, removal, late);
  if (!more_tables) co_return std::unexpected(more_tables.error());
  const auto more_guests = co_await add_guests(before, removal);
  if (!more_guests) co_return std::unexpected(more_guests.error());
  auto removed = co_await parts_.store.remove(std::move(removal));
  if (!removed) co_return removed;
  if (!removed->postponed) late_ = late;
  count(*removed);
  removed->more = removed->more || removed->postponed || *more_tables || *more_guests;
  co_return removed;
}

/// Whether there are more tables to look at.
awaitable<Expected<bool>> Retention::add_tables(const Before& before, store::Removal& removal) {
  if (!before.games_ms) co_return false;
  const auto page = co_await parts_.store.ended_tables(std::nullopt, *before.games_ms,
                                                       limits::kRetentionTablesLooked);
  if (!page) co_return std::unexpected(page.error());
  for (const store::EndedTable& table : *page) {
    const bool goes = fate_of(table) == Fate::kGoes;
    if (goes && !has_room(removal)) co_return true;
    if (goes) removal.tables.push_back(table.id);
    removal.looked_until = store::EndedCursor{.ended_ms = table.ended_ms, .id = table.id};
  }
  co_return page->size() == limits::kRetentionTablesLooked;
}

/// Whether there are more tables whose end was stored after a search had passed its time.
awaitable<Expected<bool>> Retention::add_late_tables(const Before& before, store::Removal& removal,
                                                     LateSearch& late) {
  if (!before.games_ms) co_return false;
  const std::int64_t until = late.searched_before_ms.value_or(*before.games_ms);
  if (!late.looked_until) {
    const std::int64_t since = late.searched_before_ms.value_or(until - interval_.count());
    late.looked_until =
        store::EndedCursor{.ended_ms = since - limits::kEndingStoredTimeMax.count(), .id = {}};
  }
  const auto page =
      co_await parts_.store.ended_tables(late.looked_until, until, limits::kRetentionTablesLooked);
  if (!page) co_return std::unexpected(page.error());
  for (const store::EndedTable& table : *page) {
    const bool goes = fate_of(table) == Fate::kGoes;
    if (goes && !has_room(removal)) co_return true;
    if (goes && std::ranges::find(removal.tables, table.id) == removal.tables.end()) {
      removal.tables.push_back(table.id);
    }
    late.looked_until = store::EndedCursor{.ended_ms = table.ended_ms, .id = table.id};
  }
  if (page->size() == limits::kRetentionTablesLooked) co_return true;
  late.looked_until.reset();
  late.searched_before_ms = before.games_ms;
  co_return false;
}

/// Whether there are more guests to look at.
awaitable<Expected<bool>> Retention::add_guests(const Before& before, store::Removal& removal) {
  if (parts_.keep_guests.count() == 0) co_return false;
  const auto page =
      co_await parts_.store.silent_guests(before.guests_ms, limits::kRetentionGuestsLooked);
  if (!page) co_return std::unexpected(page.error());
  bool more = page->size() == limits::kRetentionGuestsLooked;
  for (const store::SilentGuest& guest : *page) {
    if (!has_room(removal)) co_return true;
    auto verdict = verdict_on(guest, before);
    more = more || !verdict.tables.empty();
    for (const TableId table : verdict.tables) {
      // Two guests of the page may have played at the same table.
      if (has_room(removal) && std::ranges::find(removal.tables, table) == removal.tables.end()) {
        removal.tables.push_back(table);
      }
    }
    if (verdict.goes) removal.guests.push_back(guest.id);
    if (verdict.stays) {
      const bool silent = guest.last_sign_ms < before.guests_ms;
      const std::int64_t again_ms = verdict.waits_for_ms.value_or(removal.now_ms);
      removal.kept.push_back({.id = guest.id, .seen_ms = silent ? again_ms : guest.last_sign_ms});
    }
  }
  co_return more;
}

void Retention::tell_open_reports(const store::Removed& removed) {
  parts_.metrics.reports_open().Set(static_cast<double>(removed.open_reports));
  parts_.metrics.first_open_report_seconds().Set(
      std::chrono::duration<double>(milliseconds{removed.first_open_report_ms}).count());
}

void Retention::count(const store::Removed& removed) {
  tell_open_reports(removed);
  const auto add = [this](std::string_view what, std::size_t number) {
    parts_.metrics.deleted(what).Increment(static_cast<double>(number));
  };
  add("table", removed.tables);
  add("guest", removed.guests);
  add("event", removed.events);
  add("report", removed.reports);
  add("challenge", removed.challenges);
  add("page", removed.pages);
}

}  // namespace tesela::retention
