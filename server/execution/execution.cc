#include "server/execution/execution.h"

#include <string>
#include <utility>
#include <variant>

#include "server/execution/undo_history.h"
#include "server/games/games.h"

namespace tesela::execution {
namespace {

std::unexpected<Error> corrupt(std::string what) {
  return refuse(ErrorCode::kCorrupt, std::move(what));
}

}  // namespace

Execution::Execution(const games::ClockRules& rules, std::set<Version> returns)
    : rules_(rules), returns_(std::move(returns)) {}

Execution::Execution(std::unique_ptr<games::Match> match, Version version, std::int64_t at_ms,
                     const games::Clock& clock, bool packed)
    : match_(std::move(match)),
      version_(version),
      at_ms_(at_ms),
      clock_(clock),
      is_packed_(packed) {}

void Execution::expect_returns(std::set<Version> returns,
                               std::map<Version, std::unique_ptr<games::Match>> earlier) {
  returns_ = std::move(returns);
  kept_ = std::move(earlier);
  if (match_) keep();
}

Expected<void> Execution::begin(const codec::Record& record) {
  const auto* created = std::get_if<codec::Created>(&record.event);
  if (created == nullptr) return corrupt("it is not the table's creation.");
  const auto game = games::find_game(created->game);
  if (!game) return corrupt(game.error().message);
  auto match = (*game)->start(created->config, created->seed);
  if (!match) return refused(record, std::move(match.error()));
  match_ = std::move(*match);
  if (auto same = compare(record, match_->digest()); !same) return same;
  clock_ = games::Clock(rules_, created->seats);
  clock_.begin_turn(base::Moment::logged(record.at_ms));
  version_ = Version{1};
  at_ms_ = record.at_ms;
  keep();
  return {};
}

Expected<games::Played> Execution::play(const codec::Record& record, games::Want want) {
  const games::Stamp stamp{.version = next(version_),
                           .at = base::Moment::logged(record.at_ms),
                           .seat = {},
                           .move_id = {},
                           .clock = &clock_};
  auto played =
      std::visit([&](const auto& event) { return advance(event, stamp, want); }, record.event);
  if (!played) return refused(record, std::move(played.error()));
  if (auto same = compare(record, played->digest); !same) {
    return std::unexpected(std::move(same.error()));
  }
  match_->commit();
  version_ = next(version_);
  at_ms_ = record.at_ms;
  keep();
  return played;
}

std::unexpected<Error> Execution::refused(const codec::Record& record, Error error) const {
  const bool packed = is_packed_ || record.digest == 0;
  // What is wrong by no rules of a game is refused as damage already.
  if (!packed || error.code == ErrorCode::kCorrupt) return corrupt(std::move(error.message));
  return refuse(ErrorCode::kRulesChanged,
                "the rules of the game have changed since it was played: " + error.message);
}

Expected<void> Execution::compare(const codec::Record& record, std::uint64_t digest) {
  is_packed_ = is_packed_ || record.digest == 0;
  if (record.may_lead_to(digest)) return {};
  if (!is_packed_) return corrupt("it leads to another position than the recorded one.");
  rules_changed_ = true;
  return {};
}

Expected<games::Played> Execution::advance(const codec::Created& /*created*/,
                                           const games::Stamp& /*stamp*/, games::Want /*want*/) {
  return corrupt("the table is created a second time.");
}

Expected<games::Played> Execution::advance(const codec::Moved& moved, games::Stamp stamp,
                                           games::Want want) {
  clock_.charge(moved.seat, moved.spent_ms,
                games::mover_of(!moved.strategy.empty(), moved.timed_out));
  clock_.begin_turn(stamp.at);
  stamp.seat = moved.seat;
  stamp.move_id = moved.move_id;
  stamp.strategy = moved.strategy;
  stamp.timed_out = moved.timed_out;
  return match_->play(stamp, moved.move, want);
}

Expected<games::Played> Execution::advance(const codec::Resigned& resigned, games::Stamp stamp,
                                           games::Want want) {
  stamp.seat = resigned.seat;
  stamp.move_id = resigned.move_id;
  stamp.claimed_by = resigned.claimed_by;
  return match_->resign(stamp, want);
}

Expected<games::Played> Execution::advance(const codec::Undone& undone, games::Stamp stamp,
                                           games::Want want) {
  const games::Match* earlier = match_->seats() == 1 ? at(undone.to) : nullptr;
  if (earlier == nullptr) return corrupt("no move is taken back at such a table.");
  stamp.move_id = undone.move_id;
  return match_->go_back(stamp, undone.to, *earlier, want);
}

const games::Match* Execution::at(Version version) const {
  const auto found = kept_.find(version);
  return found == kept_.end() ? nullptr : found->second.get();
}

void Execution::keep() {
  if (returns_.contains(version_)) kept_[version_] = match_->copy();
}

Expected<std::vector<std::uint64_t>> digests_of(std::span<const codec::Record> records) {
  UndoHistory history;
  for (std::uint64_t at = 0; at < records.size(); ++at) {
    if (auto added = history.add(Version{at + 1}, records[at]); !added) {
      return std::unexpected(added.error());
    }
  }
  Execution execution({}, history.returns());
  if (auto begun = execution.begin(records.front()); !begun) return std::unexpected(begun.error());
  std::vector<std::uint64_t> digests{execution.match().digest()};
  for (const codec::Record& record : records.subspan(1)) {
    if (auto played = execution.play(record, games::Want::kPosition); !played) {
      return std::unexpected(played.error());
    }
    digests.push_back(execution.match().digest());
  }
  if (!execution.rules_changed()) return digests;
  return refuse(ErrorCode::kRulesChanged,
                "the rules of the game have changed since it was played.");
}

}  // namespace tesela::execution
