#include "server/store/postgres/change_reader.h"

#include <utility>

#include "server/base/change_limits.h"
#include "server/store/postgres/read/changes.h"
#include "server/store/postgres/write/change_trims.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;
using std::chrono::steady_clock;

namespace {

/// The number of no store.
constexpr std::int64_t kNobody = -1;

}  // namespace

awaitable<Expected<TableChangesRead>> ChangeReader::read(ChangesQuery query) {
  // Before the read: what becomes unknown later is found by the next one.
  const std::uint64_t unknown = health_.unknown_outcomes();
  const bool has_lost = unknown != unknown_outcomes_;
  const bool all = has_lost || steady_clock::now() < own_too_until_;
  const std::int64_t own = all ? kNobody : writer_;
  auto work = [query = std::move(query), own](Attempt& attempt) {
    return read_changes(attempt, query, own);
  };
  auto read = co_await reads_.run<TableChangesRead>(std::move(work));
  if (!read || !has_lost) co_return read;
  unknown_outcomes_ = unknown;
  own_too_until_ = steady_clock::now() + limits::kChangesKept;
  // Reads before have passed over the write, if it was committed by then.
  read->gap = true;
  read->tables.clear();
  co_return read;
}

awaitable<Expected<std::size_t>> ChangeReader::trim() {
  return writes_.run<std::size_t>([](Attempt& attempt) { return trim_changes(attempt); });
}

void ChangeReader::on_signal(std::function<void()> told) {
  const std::scoped_lock lock(mutex_);
  told_ = std::move(told);
}

void ChangeReader::signalled() {
  const std::scoped_lock lock(mutex_);
  if (told_) told_();
}

}  // namespace tesela::store::postgres
