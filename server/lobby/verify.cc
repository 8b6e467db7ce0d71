#include "server/lobby/verify.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/game.h"
#include "server/codec/games.h"
#include "server/fair/fair.h"
#include "server/table/match.h"

namespace tesela::lobby {
namespace {

using table::Match;

std::optional<Seed> seed_of(const std::string& bytes) {
  Seed seed{};
  if (bytes.size() != seed.size()) return std::nullopt;
  std::ranges::copy(bytes, seed.begin());
  return seed;
}

std::unexpected<Error> untrue(std::string what) {
  return refuse(ErrorCode::kCorrupt, std::move(what));
}

std::unexpected<Error> untrue_at(std::uint64_t version, const std::string& what) {
  return untrue("Version " + std::to_string(version) + ": " + what);
}

/// The commitment as it follows from the server's seed; empty without one.
std::string commitment_of(const v1::GameRecord& record) {
  const auto seed = seed_of(record.server_seed());
  if (!seed) return {};
  const auto hash =
      fair::commitment(*seed, {.game = record.table().game(),
                               .config = record.config(),
                               .seats = static_cast<std::uint8_t>(record.table().seat_count())});
  return {hash.begin(), hash.end()};
}

Expected<void> check_promise(const v1::GameRecord& record) {
  if (record.server_seed().empty() && record.table().commitment().empty()) return {};
  const auto server_seed = seed_of(record.server_seed());
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
  if (seed_of(record.game_seed()) != mixed) {
    return untrue("The dice were not keyed by the server's seed and the players' contributions.");
  }
  return {};
}

Expected<std::unique_ptr<Match>> deal(const v1::GameRecord& record) {
  const auto game = codec::find_game(record.table().game());
  if (!game) return std::unexpected(game.error());
  const auto seed = seed_of(record.game_seed());
  if (!seed) return untrue("The record has no seed: is the game over?");
  auto match = (*game)->start(record.config(), *seed);
  if (match && (*match)->digest() != record.first_digest()) {
    return untrue_at(1, "the dice deal another position than the recorded one.");
  }
  return match;
}

/// Plays one move; gives the result when it ends the game.
Expected<std::optional<std::string>> play(Match& match, const v1::RecordedMove& move) {
  if (move.seat() >= kSeatsMax) return untrue_at(move.version(), "no game has such a seat.");
  const table::Stamp stamp{.version = Version{move.version()},
                           .at_ms = move.at_ms(),
                           .seat = Seat{static_cast<std::uint8_t>(move.seat())},
                           .move_id = move.move_id(),
                           .strategy = move.strategy()};
  auto played = match.play(stamp, move.move().value(), table::Want::kPosition);
  if (!played) return untrue_at(move.version(), played.error().message);
  if (played->digest != move.digest()) {
    return untrue_at(move.version(), "the move leads to another position than the recorded one.");
  }
  match.commit();
  return std::move(played->result);
}

Expected<void> execute(const v1::GameRecord& record) {
  const auto match = deal(record);
  if (!match) return std::unexpected(match.error());
  std::optional<std::string> result;
  std::uint64_t expected = 2;
  for (const auto& move : record.moves()) {
    if (move.version() != expected) return untrue_at(expected, "it is missing.");
    auto played = play(**match, move);
    if (!played) return std::unexpected(std::move(played.error()));
    result = std::move(*played);
    ++expected;
  }
  const bool over = record.table().state() == v1::TABLE_STATE_OVER;
  if (over && !result) return untrue("The game is not over after its last move.");
  if (over && *result != record.table().result().SerializeAsString()) {
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
