#include "server/sweeping/abandoned_tables.h"

#include <optional>

#include "server/base/clock.h"
#include "server/base/limits.h"

namespace tesela::sweeping {

using boost::asio::awaitable;
using std::chrono::milliseconds;

awaitable<std::size_t> AbandonedTables::search() {
  const std::size_t in_play = co_await close_those(store::TableState::kInPlay, parts_.in_play);
  const std::size_t waiting = co_await close_those(store::TableState::kOpen, parts_.waiting);
  co_return in_play + waiting;
}

awaitable<std::size_t> AbandonedTables::close_those(store::TableState state, milliseconds time) {
  const std::int64_t since_ms = base::unix_ms() - time.count();
  const store::TableFilter old{
      .game = {}, .state = state, .player = {}, .private_too = true, .made_before_ms = since_ms};
  std::optional<store::TableCursor> after;
  std::size_t closed = 0;
  while (!parts_.stopping()) {
    const auto page = co_await parts_.store.tables(old, after, limits::kPageMax);
    if (!page || page->empty()) break;
    for (const auto& row : *page) {
      if (parts_.stopping()) break;
      const bool silent = co_await parts_.directory.close_silent(row.id, since_ms);
      closed += silent ? 1 : 0;
    }
    after = store::TableCursor{page->back().created_ms, page->back().id};
  }
  co_return closed;
}

}  // namespace tesela::sweeping
