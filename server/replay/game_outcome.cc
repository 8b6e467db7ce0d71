#include "server/replay/game_outcome.h"

#include <algorithm>
#include <utility>

#include "server/base/clock.h"
#include "server/bots/bots.h"
#include "server/codec/table_options.h"

namespace tesela::replay {
namespace {

using store::BoardKey;
using store::BoardKind;

std::vector<store::Placing> placings_of(const store::TableRow& table, const Result& result,
                                        const Participation& participation) {
  const auto bot = [&](const store::SeatRow& seat) { return bots::is_bot(table.game, seat); };
  const bool all = participation.rate_bots || std::ranges::all_of(table.seats, bot);
  std::vector<store::Placing> placings;
  for (const store::SeatRow& seat : table.seats) {
    if (!participation.played.at(seat.seat.value) || (!all && bot(seat))) continue;
    const auto at = seat.seat.value;
    const bool person = !bot(seat);
    store::Placing placing{.player = seat.player,
                           .rank = result.standings.at(at).rank,
                           .left = person && participation.left.at(at),
                           .house = !person && !bots::is_remote(seat.strategy),
                           .late = person && participation.late.at(at)};
    // Behind every seat that is none of those.
    if (placing.left) placing.rank += static_cast<std::uint32_t>(kSeatsMax);
    placings.push_back(placing);
  }
  if (placings.size() < 2) placings.clear();
  return placings;
}

std::vector<BoardKey> boards_of(const store::TableRow& table, store::Day ended) {
  const auto board = [&](BoardKind kind, std::optional<store::Day> day) {
    return BoardKey{.kind = kind, .game = table.game, .config = table.config, .day = day};
  };
  if (!table.daily) return {board(BoardKind::kBest, {}), board(BoardKind::kBestOfDay, ended)};
  if (*table.daily == ended) return {board(BoardKind::kDaily, ended)};
  return {};
}

}  // namespace

bool is_ranked(const store::TableRow& table) {
  const auto options = codec::decode_table_options(table.options);
  return options && options->ranked;
}

Expected<void> check_shown(const store::TableRow& table) {
  if (!table.daily || *table.daily < base::today()) return {};
  return refuse(ErrorCode::kNotShownYet, "A daily game is shown to others once its day is over.");
}

store::GameOutcome outcome_of(const store::TableRow& table, const Result& result,
                              std::int64_t ended_ms, const Participation& participation) {
  store::GameOutcome outcome{.game = table.game};
  const auto options = codec::decode_table_options(table.options);
  if (table.assisted || (options && options->practice)) return outcome;
  if (table.seat_count > 1) {
    if (is_ranked(table)) outcome.placings = placings_of(table, result, participation);
    return outcome;
  }
  const store::SeatRow& seat = table.seats.front();
  if (!seat.strategy.empty()) return outcome;
  const std::int64_t points = result.standings.front().points;
  for (BoardKey& board : boards_of(table, base::day_of(ended_ms))) {
    outcome.scores.push_back({.board = std::move(board), .player = seat.player, .points = points});
  }
  return outcome;
}

}  // namespace tesela::replay
