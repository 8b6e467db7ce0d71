#include "server/lobby/verify.h"

#include <tesela/play/v1/course.pb.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/game.h"
#include "server/codec/record.h"
#include "server/fair/fair.h"
#include "server/table/execution.h"
#include "server/table/line.h"

namespace tesela::lobby {
namespace {

std::unexpected<Error> untrue(std::string what) {
  return refuse(ErrorCode::kCorrupt, std::move(what));
}

std::unexpected<Error> untrue_at(std::uint64_t version, const std::string& what) {
  return untrue("Version " + std::to_string(version) + ": " + what);
}

/// The commitment as it follows from the server's seed; empty without one.
std::string commitment_of(const v1::GameRecord& record) {
  const auto seed = fair::seed_of(record.server_seed());
  if (!seed) return {};
  const auto hash =
      fair::commitment(*seed, {.game = record.table().game(),
                               .config = record.config(),
                               .seats = static_cast<std::uint8_t>(record.table().seat_count())});
  return {hash.begin(), hash.end()};
}

Expected<void> check_promise(const v1::GameRecord& record) {
  if (record.server_seed().empty() && record.table().commitment().empty()) return {};
  const auto server_seed = fair::seed_of(record.server_seed());
  if (!server_seed) return untrue("The server's seed is not 32 bytes long.");
  if (commitment_of(record) != record.table().commitment()) {
    return untrue("The server's seed is not the one that it had committed itself to.");
  }
  std::vector<fair::Contribution> contributions;
  for (const auto& contribution : record.contributions()) {
    if (contribution.seat() >= kSeatsMax) return untrue("A contribution is of no seat.");
    contributions.push_back(
        {Seat{static_cast<std::uint8_t>(contribution.seat())}, contribution.bytes()});
  }
  const auto mixed = fair::game_seed(*server_seed, contributions);
  if (!mixed) return std::unexpected(mixed.error());
  if (fair::seed_of(record.game_seed()) != mixed) {
    return untrue("The dice were not keyed by the server's seed and the players' contributions.");
  }
  return {};
}

/// The record of version 1.
Expected<codec::Record> dealt(const v1::GameRecord& record) {
  const auto seed = fair::seed_of(record.game_seed());
  if (!seed) return untrue("The record has no seed: is the game over?");
  return codec::Record{
      .at_ms = record.dealt_at_ms(),
      .event = codec::Created{.game = record.table().game(),
                              .config = record.config(),
                              .seed = *seed,
                              .seats = static_cast<std::uint8_t>(record.table().seat_count())},
      .digest = record.first_digest()};
}

Expected<codec::Event> event_of(const v1::RecordedMove& move) {
  if (move.seat() >= kSeatsMax) return untrue("no game has such a seat.");
  const Seat seat{static_cast<std::uint8_t>(move.seat())};
  if (move.move().Is<play::v1::Resigned>()) {
    return codec::Resigned{.seat = seat, .move_id = move.move_id()};
  }
  if (play::v1::Undone undone; move.move().UnpackTo(&undone)) {
    return codec::Undone{.move_id = move.move_id(), .to = Version{undone.to_version()}};
  }
  return codec::Moved{.seat = seat,
                      .move_id = move.move_id(),
                      .move = move.move().value(),
                      .strategy = move.strategy(),
                      .spent_ms = move.spent_ms(),
                      .timed_out = move.timed_out()};
}

/// The records of all versions, in order.
Expected<std::vector<codec::Record>> records_of(const v1::GameRecord& record) {
  auto first = dealt(record);
  if (!first) return std::unexpected(std::move(first.error()));
  std::vector<codec::Record> records{std::move(*first)};
  records.reserve(1 + static_cast<std::size_t>(record.moves_size()));
  for (const auto& move : record.moves()) {
    const std::uint64_t expected = records.size() + 1;
    if (move.version() != expected) return untrue_at(expected, "it is missing.");
    auto event = event_of(move);
    if (!event) return untrue_at(expected, event.error().message);
    records.push_back({.at_ms = move.at_ms(), .event = std::move(*event), .digest = move.digest()});
  }
  return records;
}

/// Plays all records; gives the result, when the last one ends the game.
Expected<std::optional<std::string>> played(const std::vector<codec::Record>& records) {
  table::Line line;
  for (std::uint64_t at = 0; at < records.size(); ++at) {
    const auto added = line.add(Version{at + 1}, records[at]);
    if (!added) return untrue_at(at + 1, added.error().message);
  }
  table::Execution execution({}, line.returns());
  if (auto begun = execution.begin(records.front()); !begun) {
    return untrue_at(1, begun.error().message);
  }
  std::optional<std::string> result;
  if (auto outcome = execution.match().outcome()) result = std::move(outcome->result);
  for (std::uint64_t at = 1; at < records.size(); ++at) {
    auto move = execution.play(records[at], table::Want::kPosition);
    if (!move) return untrue_at(at + 1, move.error().message);
    result = std::move(move->result);
  }
  return result;
}

Expected<void> execute(const v1::GameRecord& record) {
  const auto records = records_of(record);
  if (!records) return std::unexpected(records.error());
  const auto result = played(*records);
  if (!result) return std::unexpected(result.error());
  const bool over = record.table().state() == v1::TABLE_STATE_OVER;
  if (over && !*result) return untrue("The game is not over after its last move.");
  if (over && **result != record.table().result().SerializeAsString()) {
    return untrue("The result is not the one that the moves lead to.");
  }
  return {};
}

}  // namespace

v1::VerifyResponse verify(const v1::GameRecord& record) {
  v1::VerifyResponse verdict;
  verdict.set_commitment(commitment_of(record));
  verdict.set_server_seed(record.server_seed());
  verdict.set_versions(1 + static_cast<std::uint64_t>(record.moves_size()));
  auto truth = check_promise(record);
  if (truth) truth = execute(record);
  verdict.set_ok(truth.has_value());
  if (!truth) {
    verdict.set_message(truth.error().message);
  } else if (verdict.commitment().empty()) {
    verdict.set_message("Every move and the result are true. The server had promised no seed.");
  } else {
    verdict.set_message(
        "The server's seed is the one that it had committed itself to, the dice follow from it and "
        "from what the players added, and every move and the result are true.");
  }
  return verdict;
}

}  // namespace tesela::lobby
