#include "server/replay/log_execution.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "server/base/limits.h"
#include "server/replay/moves_in_force.h"
#include "server/replay/records.h"
#include "server/replay/replay.h"

namespace tesela::replay {
namespace {

using boost::asio::awaitable;

execution::Execution execution_of(Start start, const codec::TableOptions& options) {
  if (!start.match) return {options.clock, {}};
  const std::uint8_t seats = start.match->seats();
  return {std::move(start.match), start.version, start.snapshot.at_ms,
          games::Clock(options.clock, seats, start.snapshot.clock), start.packed};
}

/// Rules that have changed are no damage.
std::unexpected<Error> unplayable(Version version, Error error) {
  if (error.code != ErrorCode::kRulesChanged) return damaged(version, error.message);
  return refuse(error.code, "At version " + std::to_string(version.value) + " " + error.message);
}

}  // namespace

LogExecution::LogExecution(Source source, TableId table, const codec::TableOptions& options,
                           Start start, Version until)
    : source_(source),
      table_(table),
      until_(until),
      execution_(execution_of(std::move(start), options)) {}

awaitable<Expected<bool>> LogExecution::read() {
  if (has_next()) co_return true;
  Version expected = next(execution_.version());
  page_.clear();
  next_ = 0;
  if (last_page_ || (until_ != Version{} && expected > until_)) co_return false;
  std::uint64_t count = limits::kExecutionSlice;
  if (until_ != Version{}) count = std::min(count, until_.value - expected.value + 1);
  const auto entries = co_await source_.log.read(table_, expected, count);
  if (!entries) co_return std::unexpected(entries.error());
  last_page_ = entries->size() < count;
  page_.reserve(entries->size());
  for (const store::Entry& entry : *entries) {
    if (entry.version != expected) co_return damaged(expected, "it is missing.");
    auto record = codec::decode_record(entry.record);
    if (!record) co_return damaged(expected, record.error().message);
    page_.push_back(std::move(*record));
    expected = next(expected);
  }
  const auto prepared = co_await prepare_returns();
  if (!prepared) co_return std::unexpected(prepared.error());
  co_return !page_.empty();
}

awaitable<Expected<void>> LogExecution::prepare_returns() {
  const Version now = execution_.version();
  std::set<Version> returns;
  std::set<Version> before;
  for (const codec::Record& record : page_) {
    const auto* undone = std::get_if<codec::Undone>(&record.event);
    if (undone == nullptr) continue;
    (undone->to < now ? before : returns).insert(undone->to);
  }
  Positions earlier;
  if (!before.empty()) {
    if (*before.begin() == Version{})
      co_return damaged(now, "a move before the first is taken back.");
    auto found = co_await positions_in_force(source_, table_, now, std::move(before));
    if (!found) co_return std::unexpected(std::move(found.error()));
    earlier = std::move(*found);
  }
  execution_.expect_returns(std::move(returns), std::move(earlier));
  co_return Expected<void>{};
}

Expected<games::Played> LogExecution::play(games::Want want) {
  const codec::Record& record = next_record();
  const Version version = next(execution_.version());
  if (version == Version{1}) {
    if (auto begun = execution_.begin(record); !begun) {
      return unplayable(version, std::move(begun.error()));
    }
    ++next_;
    return games::Played{};
  }
  auto played = execution_.play(record, want);
  if (!played) return unplayable(version, std::move(played.error()));
  ++next_;
  return played;
}

}  // namespace tesela::replay
