#include "server/directory/table_claims.h"

#include <spdlog/spdlog.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "server/base/text_encoding.h"

namespace tesela::directory {
namespace {

using boost::asio::awaitable;

constexpr const char* kElsewhere =
    "This table is played on another server now: try again in a moment.";

/// Nothing of TableClaims, which may be gone before the store has answered.
awaitable<void> give_up(store::Ownership& ownership, std::vector<store::OwnedTable> table,
                        store::LifeId life) {
  const TableId id = table.front().table;
  const auto released = co_await ownership.release(std::move(table), life);
  if (!released) {
    spdlog::debug("table {} stays claimed: {}", base::to_text(id), released.error().message);
  }
}

}  // namespace

awaitable<Expected<Epoch>> TableClaims::claim(TableId table) {
  auto claimed = co_await ownership_.claim(table, life_.id());
  if (!claimed) {
    // Whether the table is this life's is unknown. It is claimed again by whoever comes back.
    if (claimed.error().code == ErrorCode::kInternal) {
      claimed.error().code = ErrorCode::kUnavailable;
    }
    co_return std::unexpected(std::move(claimed.error()));
  }
  if (const auto* owned = std::get_if<store::Owned>(&*claimed)) co_return owned->epoch;
  co_return refuse(ErrorCode::kUnavailable, kElsewhere);
}

awaitable<void> TableClaims::release(TableId table, Epoch epoch) {
  std::vector<store::OwnedTable> tables{{table, epoch}};
  co_await give_up(ownership_, std::move(tables), life_.id());
}

awaitable<Expected<void>> TableClaims::release(std::vector<store::OwnedTable> tables) {
  if (life_.dead()) co_return Expected<void>{};
  co_return co_await ownership_.release(std::move(tables), life_.id());
}

void TableClaims::release_later(base::Loop& loop, TableId table, Epoch epoch) {
  // The sweeping server finds tables of dead lives and wakes their bots.
  if (life_.dead()) return;
  std::vector<store::OwnedTable> tables{{table, epoch}};
  boost::asio::co_spawn(loop, give_up(ownership_, std::move(tables), life_.id()),
                        boost::asio::detached);
}

bool TableClaims::is_elsewhere(const Error& error) {
  return error.message == kElsewhere;
}

}  // namespace tesela::directory
