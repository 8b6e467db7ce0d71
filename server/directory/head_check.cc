#include "server/directory/head_check.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <utility>

#include "engine/core/ids.h"
#include "server/base/ownership_limits.h"
#include "server/base/text_encoding.h"

namespace tesela::directory {
namespace {

using boost::asio::awaitable;
using tables::Table;
using TablePtr = std::shared_ptr<Table>;

struct Asked {
  TablePtr table;
  Version version;  // when the database was asked
};

/// An event that is being appended may be in the database and not in the table's position yet.
bool is_own(const store::TableHead& head, const Asked& asked) {
  return head.epoch == asked.table->epoch() && head.version >= asked.version &&
         head.version <= next(asked.table->version());
}

awaitable<void> add_lost(store::Ownership& ownership, std::span<const TablePtr> tables,
                         std::vector<TablePtr>& lost) {
  std::unordered_map<TableId, Asked> asked;
  std::vector<TableId> ids;
  for (const TablePtr& table : tables) {
    asked.emplace(table->id(), Asked{table, table->version()});
    ids.push_back(table->id());
  }
  const auto heads = co_await ownership.heads(std::move(ids));
  if (!heads) {
    spdlog::warn("{} tables were not looked at: {}", tables.size(), heads.error().message);
    co_return;
  }
  for (const store::TableHead& head : *heads) {
    const auto found = asked.find(head.table);
    if (found != asked.end() && is_own(head, found->second)) asked.erase(found);
  }
  for (auto& [id, one] : asked) {
    spdlog::error("table {} is not this server's any more", base::to_text(id));
    lost.push_back(std::move(one.table));
  }
}

}  // namespace

awaitable<std::vector<TablePtr>> lost_tables(store::Ownership& ownership,
                                             std::vector<TablePtr> tables) {
  std::vector<TablePtr> lost;
  const std::span<const TablePtr> all(tables);
  for (std::size_t begin = 0; begin < all.size(); begin += limits::kHeadsAtOnce) {
    const std::size_t count = std::min(limits::kHeadsAtOnce, all.size() - begin);
    co_await add_lost(ownership, all.subspan(begin, count), lost);
  }
  co_return lost;
}

}  // namespace tesela::directory
