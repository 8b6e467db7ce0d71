#include "server/store/postgres/log_reader.h"

#include <string>
#include <utility>

#include "server/store/log_page.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;

awaitable<Expected<std::vector<Entry>>> LogReader::read(TableId table, Version from,
                                                        std::size_t max) {
  const LogPart part{.from = from, .max = max};
  auto stored = co_await calls_.run<StoredLog>(
      [=](Attempt& attempt) { return stored_log(attempt, table, part); });
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  LogPage page(from, max);
  if (stored->packed) {
    if (auto added = page.add(*stored->packed); !added) co_return std::unexpected(added.error());
  }
  if (auto added = page.add(std::move(stored->events)); !added) {
    co_return std::unexpected(std::move(added.error()));
  }
  if (page.ends_before(stored->last)) co_return missing_from_log(page.next_version());
  co_return page.take();
}

awaitable<Expected<std::optional<Entry>>> LogReader::last(TableId table) {
  const LogPart newest{.newest = true};
  auto stored = co_await calls_.run<StoredLog>(
      [=](Attempt& attempt) { return stored_log(attempt, table, newest); });
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  std::optional<Entry> last;
  if (!stored->events.empty()) {
    last = std::move(stored->events.front());
  } else if (stored->packed) {
    auto unpacked = last_of(*stored->packed);
    if (!unpacked) co_return std::unexpected(std::move(unpacked.error()));
    last = std::move(*unpacked);
  }
  const Version until = last ? last->version : Version{};
  if (until < stored->last) co_return missing_from_log(next(until));
  co_return last;
}

}  // namespace tesela::store::postgres
