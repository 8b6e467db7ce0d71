#include "tests/server/store/memory/memory_boards.h"

#include <algorithm>
#include <tuple>

#include "server/base/clock.h"
#include "server/store/boards.h"

namespace tesela::store {
namespace {

BoardKey ratings_of(const std::string& game) {
  return {.kind = BoardKind::kRatings, .game = game};
}

bool stands_before(const BoardEntry& a, const BoardEntry& b) {
  return std::tie(b.points, a.at_ms, a.player) < std::tie(a.points, b.at_ms, b.player);
}

}  // namespace

void MemoryBoards::count(const GameOutcome& outcome, TableId table, std::int64_t ended_ms) {
  if (!outcome.placings.empty()) rate(outcome, ended_ms);
  for (const Score& score : outcome.scores) {
    auto& scores = boards_[score.board];
    const auto best = scores.find(score.player);
    if (best != scores.end() && best->second.points >= score.points) continue;
    scores.insert_or_assign(score.player, BoardEntry{.player = score.player,
                                                     .display_name = {},
                                                     .points = score.points,
                                                     .at_ms = ended_ms,
                                                     .table = table});
  }
}

void MemoryBoards::rate(const GameOutcome& outcome, std::int64_t ended_ms) {
  const auto before = [&](PlayerId player) { return rating(outcome.game, player); };
  const auto met_before = [&](PlayerId player, PlayerId opponent) {
    return met(outcome.game, player, opponent);
  };
  const RatedGame rated = after_game(outcome.placings, base::day_of(ended_ms), before, met_before);
  for (const RatingRow& row : rated.ratings) {
    ratings_[{outcome.game, row.player}].row = row;
    boards_[ratings_of(outcome.game)].insert_or_assign(row.player,
                                                       BoardEntry{.player = row.player,
                                                                  .display_name = {},
                                                                  .points = points_of(row),
                                                                  .at_ms = ended_ms,
                                                                  .rating = row.rating,
                                                                  .games = row.games});
  }
  for (const Meeting& meeting : rated.meetings) {
    ratings_[{outcome.game, meeting.player}].meetings.insert_or_assign(meeting.opponent, meeting);
  }
}

std::optional<Meeting> MemoryBoards::met(const std::string& game, PlayerId player,
                                         PlayerId opponent) const {
  const auto rating = ratings_.find({game, player});
  if (rating == ratings_.end()) return std::nullopt;
  const auto found = rating->second.meetings.find(opponent);
  if (found == rating->second.meetings.end()) return std::nullopt;
  return found->second;
}

RatingRow MemoryBoards::rating(const std::string& game, PlayerId player) const {
  const auto found = ratings_.find({game, player});
  return found == ratings_.end() ? RatingRow{.player = player} : found->second.row;
}

std::vector<BoardEntry> MemoryBoards::board(const BoardKey& key, const BoardRange& range) const {
  const auto board = boards_.find(key);
  if (board == boards_.end()) return {};
  std::vector<BoardEntry> entries;
  for (const auto& [player, entry] : board->second) entries.push_back(entry);
  cut_unlisted(entries);
  std::ranges::sort(entries, stands_before);
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i].place = i + 1;
  std::size_t begin = 0;
  if (range.around) {
    const auto mine = std::ranges::find(entries, *range.around, &BoardEntry::player);
    if (mine == entries.end()) return {};
    begin = mine->place - 1 - std::min<std::size_t>(mine->place - 1, range.max / 2);
  } else if (range.after) {
    const BoardEntry last{.player = range.after->player,
                          .display_name = {},
                          .points = range.after->points,
                          .at_ms = range.after->at_ms};
    begin = static_cast<std::size_t>(std::ranges::upper_bound(entries, last, stands_before) -
                                     entries.begin());
    for (std::size_t i = begin; i < entries.size(); ++i) {
      entries[i].place = range.after->place + 1 + (i - begin);
    }
  }
  const auto end = std::min<std::size_t>(begin + range.max, entries.size());
  return {entries.begin() + static_cast<std::ptrdiff_t>(begin),
          entries.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace tesela::store
