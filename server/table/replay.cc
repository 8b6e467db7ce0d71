#include "server/table/replay.h"

#include <utility>

#include "server/codec/games.h"
#include "server/codec/record.h"
#include "server/net/limits.h"

namespace tesela::table {
namespace {

using boost::asio::awaitable;

std::unexpected<Error> corrupt(Version version, const std::string& what) {
  return refuse(ErrorCode::kCorrupt,
                "The log is damaged at version " + std::to_string(version.value) + ": " + what);
}

Expected<void> begin(Replayed& replayed, const codec::Record& record, const ClockRules& rules) {
  const auto* created = std::get_if<codec::Created>(&record.event);
  if (created == nullptr)
    return corrupt(Version{1}, "it does not begin with the table's creation.");
  const auto game = codec::find_game(created->game);
  if (!game) return corrupt(Version{1}, game.error().message);
  auto match = (*game)->start(created->config, created->seed);
  if (!match) return corrupt(Version{1}, match.error().message);
  replayed.match = std::move(*match);
  if (replayed.match->digest() != record.digest) {
    return corrupt(Version{1}, "the game starts from another position than the recorded one.");
  }
  replayed.clock = Clock(rules, created->seats);
  replayed.clock.begin_turn(record.at_ms);
  return {};
}

Expected<void> advance(Replayed& replayed, const codec::Record& record, Version version,
                       const FrameRange& range) {
  const auto* moved = std::get_if<codec::Moved>(&record.event);
  if (moved == nullptr) return corrupt(version, "the table is created a second time.");
  const bool wanted = range.first <= version && version <= range.last;
  replayed.clock.charge(moved->seat, moved->spent_ms, moved->timed_out);
  replayed.clock.begin_turn(record.at_ms);
  const Stamp stamp{.version = version,
                    .at_ms = record.at_ms,
                    .seat = moved->seat,
                    .move_id = moved->move_id,
                    .strategy = moved->strategy,
                    .timed_out = moved->timed_out,
                    .clock = &replayed.clock};
  auto played = replayed.match->play(stamp, moved->move, wanted ? Want::kFrame : Want::kPosition);
  if (!played) return corrupt(version, played.error().message);
  if (played->digest != record.digest) {
    return corrupt(version, "the move leads to another position than the recorded one.");
  }
  replayed.match->commit();
  if (wanted) {
    replayed.frames.push_back(std::make_shared<const codec::Frame>(std::move(played->frame)));
  }
  replayed.moves.add(moved->seat, moved->move_id, version);
  return {};
}

}  // namespace

awaitable<Expected<Replayed>> replay(store::EventLog& log, TableId table, ReplayOptions options) {
  Replayed replayed{};
  for (;;) {
    const auto entries = co_await log.read(table, next(replayed.version), limits::kLogReadMax);
    if (!entries) co_return std::unexpected(entries.error());
    for (const auto& entry : *entries) {
      if (options.until != Version{} && entry.version > options.until) co_return replayed;
      const Version expected = next(replayed.version);
      if (entry.version != expected) co_return corrupt(expected, "it is missing.");
      const auto record = codec::decode_record(entry.record);
      if (!record) co_return corrupt(expected, record.error().message);
      auto done = expected == Version{1} ? begin(replayed, *record, options.clock)
                                         : advance(replayed, *record, expected, options.frames);
      if (!done) co_return std::unexpected(std::move(done.error()));
      replayed.version = expected;
      replayed.at_ms = record->at_ms;
    }
    if (entries->size() < limits::kLogReadMax) break;
  }
  if (!replayed.match) co_return corrupt(Version{1}, "the log is empty.");
  co_return replayed;
}

}  // namespace tesela::table
