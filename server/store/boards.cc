#include "server/store/boards.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace tesela::store {
namespace {

using Pair = std::pair<PlayerId, PlayerId>;

bool beats_by_a_strategy(const Placing& a, const Placing& b) {
  return a.late && a.rank < b.rank && !b.left;
}

/// Whether what the two came to says nothing about them.
bool tells_nothing(const Placing& a, const Placing& b) {
  return beats_by_a_strategy(a, b) || beats_by_a_strategy(b, a);
}

/// The pairs of a game, and how often they have met before.
class Pairs {
 public:
  Pairs(std::span<const Placing> placings, Day day, const MeetingBefore& met) : day_(day) {
    for (const Placing& a : placings) {
      for (const Placing& b : placings) {
        // Those of two strategies of this server always count in full.
        if (a.player == b.player || a.house || tells_nothing(a, b)) continue;
        const auto [known, is_new] = before_.try_emplace(Pair{a.player, b.player});
        if (is_new) known->second = met(a.player, b.player);
      }
    }
  }

  [[nodiscard]] double weight(PlayerId a, PlayerId b) const {
    const std::uint32_t games = std::max(games_before({a, b}), games_before({b, a}));
    return games < kPairGamesADay ? 1.0 / (games + 1) : 0;
  }
  [[nodiscard]] std::uint32_t new_opponents(PlayerId player) const {
    return static_cast<std::uint32_t>(std::ranges::count_if(
        before_, [&](const auto& each) { return each.first.first == player && !each.second; }));
  }
  [[nodiscard]] std::vector<Meeting> after() const {
    std::vector<Meeting> meetings;
    for (const auto& [pair, before] : before_) {
      const auto& [player, opponent] = pair;
      if (weight(player, opponent) == 0) continue;
      const std::uint32_t games = std::max(games_before(pair), games_before({opponent, player}));
      meetings.push_back({.player = player,
                          .opponent = opponent,
                          .day = before ? std::max(before->day, day_) : day_,
                          .games = games + 1});
    }
    return meetings;
  }

 private:
  /// The clocks of two servers differ: a game may end on the day before that of the last one.
  [[nodiscard]] std::uint32_t games_before(const Pair& pair) const {
    const auto found = before_.find(pair);
    const bool counts = found != before_.end() && found->second && found->second->day >= day_;
    return counts ? found->second->games : 0;
  }

  Day day_;
  std::map<Pair, std::optional<Meeting>> before_;
};

PairWeights weights_of(std::span<const Placing> placings, const Pairs& pairs) {
  PairWeights weights(placings.size(), std::vector<double>(placings.size(), 1));
  for (std::size_t i = 0; i < placings.size(); ++i) {
    for (std::size_t j = 0; j < placings.size(); ++j) {
      const PlayerId a = placings[i].player;
      const PlayerId b = placings[j].player;
      if (a == b) continue;
      weights[i][j] = tells_nothing(placings[i], placings[j]) ? 0 : pairs.weight(a, b);
    }
  }
  return weights;
}

/// What the seats of a player have come to.
struct Seats {
  RatingRow before{};
  double mu = 0;
  double sigma = 0;
  double number = 0;
  bool gains_nothing = false;
  bool won = false;  // alone
  bool house = false;
  bool counts = false;
};

bool is_only_first(std::span<const Placing> placings, const Placing& placing) {
  return std::ranges::none_of(placings, [&](const Placing& other) {
    return &other != &placing && other.rank <= placing.rank;
  });
}

RatingRow after_seats(PlayerId player, const Seats& seats, std::uint32_t new_opponents) {
  const RatingRow& before = seats.before;
  RatingRow now{.player = player,
                .rating = {.mu = seats.mu / seats.number, .sigma = seats.sigma / seats.number},
                .games = before.games + 1,
                .opponents = std::min(before.opponents + new_opponents, kListedOpponents)};
  if (seats.house) now.opponents = kListedOpponents;
  // The drift of skill may outweigh a win that was expected.
  if (seats.won && shown(now.rating) < shown(before.rating)) now.rating = before.rating;
  if (seats.gains_nothing) {
    now.rating.mu = std::min(now.rating.mu, before.rating.mu);
    // The shown rating is a bound below mu: a smaller sigma would raise it.
    now.rating.sigma = std::max(now.rating.sigma, before.rating.sigma);
  }
  return now;
}

}  // namespace

RatedGame after_game(std::span<const Placing> placings, Day day, const RatingBefore& before,
                     const MeetingBefore& met) {
  std::map<PlayerId, Seats> players;
  std::vector<store::Rated> game;
  for (const Placing& placing : placings) {
    const auto [seats, is_new] = players.try_emplace(placing.player);
    if (is_new) seats->second.before = before(placing.player);
    game.push_back({.before = seats->second.before.rating, .rank = placing.rank});
  }
  const Pairs pairs(placings, day, met);
  const PairWeights weights = weights_of(placings, pairs);
  const auto after = store::rate(game, {}, weights);
  for (std::size_t i = 0; i < placings.size(); ++i) {
    Seats& seats = players[placings[i].player];
    seats.mu += after[i].mu;
    seats.sigma += after[i].sigma;
    ++seats.number;
    seats.gains_nothing = seats.gains_nothing || placings[i].left || placings[i].late;
    seats.won = seats.won || is_only_first(placings, placings[i]);
    seats.house = seats.house || placings[i].house;
    for (std::size_t j = 0; j < placings.size(); ++j) {
      seats.counts = seats.counts || (i != j && weights[i][j] > 0);
    }
  }
  RatedGame rated{.meetings = pairs.after()};
  for (const auto& [player, seats] : players) {
    if (!seats.counts) continue;
    rated.ratings.push_back(after_seats(player, seats, pairs.new_opponents(player)));
  }
  return rated;
}

std::int64_t points_of(const RatingRow& row) {
  return row.opponents < kListedOpponents ? kUnlistedPoints : store::shown(row.rating);
}

void cut_unlisted(std::vector<BoardEntry>& entries) {
  std::erase_if(entries, [](const BoardEntry& entry) { return entry.points == kUnlistedPoints; });
}

}  // namespace tesela::store
