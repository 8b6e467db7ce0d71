#include "server/replay/moves_in_force.h"

#include <algorithm>
#include <ranges>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "server/base/limits.h"
#include "server/base/store_limits.h"
#include "server/games/games.h"
#include "server/replay/records.h"

namespace tesela::replay {
namespace {

using boost::asio::awaitable;

/// Plays a recorded move. Errors: kCorrupt, kRulesChanged.
Expected<void> play(games::Match& match, Version version, const codec::Record& record) {
  games::Stamp stamp{
      .version = version, .at = base::Moment::logged(record.at_ms), .seat = {}, .move_id = {}};
  Expected<games::Played> played;
  if (const auto* moved = std::get_if<codec::Moved>(&record.event)) {
    stamp.seat = moved->seat;
    played = match.play(stamp, moved->move, games::Want::kPosition);
  } else if (const auto* resigned = std::get_if<codec::Resigned>(&record.event)) {
    stamp.seat = resigned->seat;
    played = match.resign(stamp, games::Want::kPosition);
  } else {
    return damaged(version, "the table is created a second time.");
  }
  if (!played) {
    if (record.digest == 0) {  // of a packed log
      return refuse(
          ErrorCode::kRulesChanged,
          "the rules of the game have changed since it was played: " + played.error().message);
    }
    return damaged(version, played.error().message);
  }
  if (!record.may_lead_to(played->digest)) {
    return damaged(version, "the move leads to another position than the recorded one.");
  }
  match.commit();
  return {};
}

/// Walks back from an event. The record of an undo leads to the version whose position is the
/// table's again.
class WayBack {
 public:
  WayBack(Source source, TableId table) : source_(source), table_(table) {}

  /// The version of the move in force, or of the beginning, whose position is that of `version`.
  awaitable<Expected<Version>> in_force(Version version) {
    const auto record = co_await at(version);
    if (!record) co_return std::unexpected(record.error());
    const auto* undone = std::get_if<codec::Undone>(&record->event);
    if (undone == nullptr) co_return version;
    if (undone->to >= version || undone->to == Version{}) co_return no_way(version);
    co_return undone->to;
  }

  /// Walks from `now` to a snapshot at or before the first of `wanted`, or to the beginning, and
  /// plays the moves in force from there.
  awaitable<Expected<Positions>> positions(Version now, std::set<Version> wanted);
  /// How many events that took.
  [[nodiscard]] std::uint64_t events() const { return path_.size(); }

 private:
  struct Step {
    Version version;
    codec::Record record;
  };

  awaitable<Expected<codec::Record>> at(Version version);
  /// The match at `version`, if a snapshot has it; null otherwise.
  awaitable<Expected<std::unique_ptr<games::Match>>> snapshot_at(Version version,
                                                                 const codec::Record& record);
  awaitable<Expected<const codec::Created*>> created();
  [[nodiscard]] static std::unexpected<Error> no_way(Version version) {
    return damaged(version, "it takes back a move that is not in force.");
  }

  const Source source_;
  const TableId table_;
  std::vector<store::Entry> page_;
  std::optional<codec::Record> first_;
  std::optional<store::SnapshotRow> newest_;  // at or before `looked_at_`
  Version looked_at_;                         // 0: nowhere yet
  std::vector<Step> path_;                    // the newest first
};

awaitable<Expected<codec::Record>> WayBack::at(Version version) {
  const bool here =
      !page_.empty() && page_.front().version <= version && version <= page_.back().version;
  if (!here) {
    const std::uint64_t count = std::min<std::uint64_t>(version.value, limits::kLogReadBackMax);
    const Version from{version.value - count + 1};
    auto page = co_await source_.log.read(table_, from, count);
    if (!page) co_return std::unexpected(std::move(page.error()));
    page_ = std::move(*page);
    if (page_.size() != count || page_.back().version != version) {
      co_return damaged(version, "it is missing.");
    }
  }
  auto record = codec::decode_record(page_[version.value - page_.front().version.value].record);
  if (!record) co_return damaged(version, record.error().message);
  co_return record;
}

awaitable<Expected<const codec::Created*>> WayBack::created() {
  if (!first_) {
    auto record = co_await read_record(source_.log, table_, Version{1});
    if (!record) co_return std::unexpected(std::move(record.error()));
    first_ = std::move(*record);
  }
  const auto* created = std::get_if<codec::Created>(&first_->event);
  if (created == nullptr) co_return damaged(Version{1}, "it is not the table's creation.");
  co_return created;
}

awaitable<Expected<std::unique_ptr<games::Match>>> WayBack::snapshot_at(
    Version version, const codec::Record& record) {
  const bool known = looked_at_ >= version && (!newest_ || newest_->version <= version);
  if (!known) {
    auto row = co_await source_.snapshots.newest_snapshot(table_, version);
    if (!row) log_unusable(table_, version, row.error());
    newest_ = row ? std::move(*row) : std::nullopt;
    looked_at_ = version;
  }
  if (!newest_ || newest_->version != version) co_return nullptr;
  const auto made = co_await created();
  if (!made) co_return std::unexpected(made.error());
  auto start = restore(*newest_, record, **made);
  if (start) co_return std::move(start->match);
  log_unusable(table_, version, start.error());
  co_return nullptr;
}

awaitable<Expected<Positions>> WayBack::positions(Version now, std::set<Version> wanted) {
  path_.clear();
  std::unique_ptr<games::Match> match;
  Version version = now;  // in the log
  Version reached;        // the move in force of that position
  while (!match) {
    auto record = co_await at(version);
    if (!record) co_return std::unexpected(std::move(record.error()));
    const auto* undone = std::get_if<codec::Undone>(&record->event);
    reached = undone == nullptr ? version : undone->to;
    if (reached <= *wanted.begin()) {
      auto found = co_await snapshot_at(version, *record);
      if (!found) co_return std::unexpected(std::move(found.error()));
      match = std::move(*found);
    }
    if (match) break;
    if (undone != nullptr) {
      if (undone->to >= version || undone->to == Version{}) co_return no_way(version);
      version = undone->to;
      continue;
    }
    if (version == Version{1}) {
      const auto made = co_await created();
      if (!made) co_return std::unexpected(made.error());
      const auto game = games::find_game((*made)->game);
      if (!game) co_return damaged(version, game.error().message);
      auto begun = (*game)->start((*made)->config, (*made)->seed);
      if (!begun) co_return damaged(version, begun.error().message);
      match = std::move(*begun);
      break;
    }
    path_.push_back({.version = version, .record = std::move(*record)});
    version = Version{version.value - 1};
    if (path_.size() % limits::kExecutionSlice == 0) co_await give_way();
  }
  Positions positions;
  if (wanted.contains(reached)) positions.emplace(reached, match->copy());
  std::uint64_t played = 0;
  for (const Step& step : std::views::reverse(path_)) {
    if (positions.size() == wanted.size()) break;
    if (auto done = play(*match, step.version, step.record); !done) {
      co_return std::unexpected(std::move(done.error()));
    }
    if (wanted.contains(step.version)) positions.emplace(step.version, match->copy());
    if (++played % limits::kExecutionSlice == 0) co_await give_way();
  }
  if (positions.size() != wanted.size()) co_return no_way(now);
  co_return positions;
}

}  // namespace

awaitable<Expected<Positions>> positions_in_force(Source source, TableId table, Version now,
                                                  std::set<Version> wanted) {
  WayBack way(source, table);
  co_return co_await way.positions(now, std::move(wanted));
}

namespace {

awaitable<Expected<std::optional<Earlier>>> before_last_move(Source source, TableId table,
                                                             Version now) {
  WayBack way(source, table);
  const auto last = co_await way.in_force(now);
  if (!last) co_return std::unexpected(last.error());
  if (*last == Version{1}) co_return std::nullopt;
  const Version before_it{last->value - 1};
  const auto before = co_await way.in_force(before_it);
  if (!before) co_return std::unexpected(before.error());
  std::set<Version> wanted{*before};
  auto positions = co_await way.positions(before_it, std::move(wanted));
  if (!positions) co_return std::unexpected(std::move(positions.error()));
  Earlier earlier{
      .version = *before, .match = std::move(positions->begin()->second), .events = way.events()};
  co_return std::move(earlier);
}

}  // namespace

awaitable<Expected<std::optional<Earlier>>> before_last_move(const Aside& aside, Source source,
                                                             TableId table, Version now) {
  return run_aside(aside, Urgency::kCommand, table, before_last_move(source, table, now));
}

}  // namespace tesela::replay
