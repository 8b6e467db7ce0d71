#include "server/directory/hand_over.h"

#include <spdlog/spdlog.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "server/base/log/seldom_log.h"
#include "server/base/loop.h"
#include "server/base/ownership_limits.h"
#include "server/base/text_encoding.h"
#include "server/directory/directory_shard.h"

namespace tesela::directory {

namespace asio = boost::asio;
using asio::awaitable;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using tables::Table;

namespace {

constexpr const char* kMovesAway = "The table moves to another server; come back at once.";

/// Ids are random, so that the streams of many tables come back one after the other.
tables::Goodbye moved(TableId id) {
  constexpr std::uint64_t kMost = limits::kHandOverReconnectMax.count();
  return {.reason = codec::Reason::kTableMoved,
          .message = kMovesAway,
          .reconnect_after_ms = static_cast<std::uint32_t>(id.value % (kMost + 1))};
}

awaitable<void> pause_for(milliseconds time) {
  asio::steady_timer pause(co_await asio::this_coro::executor, time);
  co_await pause.async_wait(base::use_tuple);
}

std::vector<store::OwnedTable> owned(const std::vector<std::shared_ptr<Table>>& tables) {
  std::vector<store::OwnedTable> all;
  all.reserve(tables.size());
  for (const auto& table : tables) {
    all.push_back({.table = table->id(), .epoch = table->epoch(), .goes_on = table->goes_on()});
  }
  return all;
}

}  // namespace

std::unexpected<Error> HandOver::refusal() {
  return refuse(ErrorCode::kUnavailable, kMovesAway);
}

bool HandOver::is_elsewhere(const Error& error) {
  return error.message == kMovesAway || TableClaims::is_elsewhere(error);
}

awaitable<void> HandOver::all() {
  begun_.store(true, std::memory_order_relaxed);
  const auto begin = steady_clock::now();
  std::size_t ended = 0;
  while (!directory_.closing()) {
    std::size_t room = refused_ ? 0 : limits::kHandOverTables;
    std::size_t left = 0;
    for (const auto& shard : directory_.shards_) {
      auto work = begin_some(*shard, room);
      const Step step = co_await shard->loop.call(std::move(work));
      room -= step.begun;
      ended += step.begun;
      left += step.left;
    }
    if (left == 0) break;
    co_await pause_for(limits::kHandOverInterval);
  }
  if (ended == 0) co_return;
  const auto time = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
  base::log(spdlog::level::info, "tables were given up", {{"tables", ended}, {"ms", time.count()}});
}

/// On the shard's thread.
awaitable<HandOver::Step> HandOver::begin_some(Directory::Shard& shard, std::size_t most) {
  Step step;
  for (const auto& table : shard.live()) {
    if (step.begun == most) break;
    table->hand_over(moved(table->id()));
    ++step.begun;
  }
  step.left = shard.tables.size();
  co_return step;
}

awaitable<void> HandOver::unused(TableId id) {
  const Directory::Shard& shard = directory_.shard_of(id);
  const auto slot = shard.tables.find(id);
  const auto* table = slot != shard.tables.end() ? slot->second.get() : nullptr;
  const auto loaded_before = steady_clock::now() - directory_.parts_.unused_stay;
  if (table != nullptr && table->idle_since() && table->loaded_at() <= loaded_before) {
    slot->second->hand_over(moved(id));
  }
  co_await left(id);
}

awaitable<void> HandOver::left(TableId id) {
  Directory::Shard& shard = directory_.shard_of(id);
  for (;;) {
    const auto slot = shard.tables.find(id);
    if (slot == shard.tables.end() || !slot->second || !slot->second->closing()) break;
    co_await shard.wait_for_change();
  }
}

void HandOver::ended(Directory::Shard& shard, std::shared_ptr<Table> table) {
  shard.handed_over.push_back(std::move(table));
  if (std::exchange(shard.releasing, true)) return;
  asio::co_spawn(shard.loop, release(shard), [&shard](const std::exception_ptr& thrown) {
    if (!thrown) return;
    spdlog::error("tables that were handed over were not released");
    shard.releasing = false;
  });
}

/// An exception counts as an error: the tables are tried again.
awaitable<Expected<void>> HandOver::give_up(std::vector<store::OwnedTable> tables) {
  try {
    co_return co_await directory_.claims_.release(std::move(tables));
  } catch (const std::exception& thrown) {
    co_return refuse(ErrorCode::kInternal, thrown.what());
  }
}

/// Those that end meanwhile are released together.
awaitable<void> HandOver::release(Directory::Shard& shard) {
  while (!shard.handed_over.empty()) {
    const auto tables = std::exchange(shard.handed_over, {});
    auto given_up = owned(tables);
    const auto released = co_await give_up(std::move(given_up));
    refused_ = !released;
    // A server that ends gives all its tables up at once.
    if (!released && !directory_.closing()) {
      static base::SeldomLog lines;
      lines.log(spdlog::level::warn, "{} tables wait to be handed over: {}", tables.size(),
                released.error().message);
      shard.handed_over.insert(shard.handed_over.end(), tables.begin(), tables.end());
      co_await pause_for(limits::kHandOverInterval);
      continue;
    }
    static auto lines = base::SeldomLog::of_players();
    for (const auto& table : tables) {
      lines.log(spdlog::level::info, "table handed over", {{"table", base::to_text(table->id())}});
      shard.tables.erase(table->id());
      table->say_goodbye();
    }
    shard.changed.cancel();
    directory_.parts_.metrics.handed_over().Increment(static_cast<double>(tables.size()));
  }
  // Not when the coroutine is gone: a table may end before.
  shard.releasing = false;
  shard.changed.cancel();
  if (shard.tables.empty()) shard.sweep_pause.cancel();
}

}  // namespace tesela::directory
