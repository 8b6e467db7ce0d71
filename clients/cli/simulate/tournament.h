// A round robin of bots over the same deals, on several threads. A deal is a seed of the dice.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "clients/cli/simulate/bot.h"
#include "clients/cli/simulate/game_text.h"
#include "clients/cli/simulate/in_order.h"
#include "clients/cli/simulate/play_game.h"
#include "clients/cli/simulate/ratings.h"
#include "clients/cli/simulate/seat_figures.h"

namespace tesela::cli {

/// The bots of one game by seat, as indices.
using Seating = std::vector<std::uint8_t>;

/// The most bots of a tournament.
inline constexpr std::size_t kBotsMax = 32;

/// Every group of `seats` bots, in every rotation around the table, so that no bot has a better
/// seat. `seats` is from 1 to `bots`.
[[nodiscard]] std::vector<Seating> round_robin(std::size_t bots, std::size_t seats);

/// Refuses with kInvalidArgument bots that are too few or too many, or named twice, and names that
/// no remote bot can have.
[[nodiscard]] Expected<void> check_bots(const std::vector<BotText>& bots, std::size_t seats);

template <Game G>
struct Tournament {
  typename G::Config config;
  std::vector<Bot<G>> bots;  // at least as many as the configuration has seats
  std::uint64_t deals{1};
  Seed seed{};
  unsigned threads{1};
};

/// The result of a tournament.
struct TournamentFigures {
  std::vector<PairScores> deals;
  std::vector<SeatFigures> bots;
};

/// Every deal, which is the seed of a game's dice, is played by every seating of round_robin(). In
/// a game of one seat the bots of a deal are compared by their points.
template <GameText Text>
class RunningTournament {
 public:
  using G = typename Text::Game;

  explicit RunningTournament(const Tournament<G>& tournament)
      : tournament_{tournament},
        seatings_{round_robin(tournament.bots.size(), G::seats(tournament.config))} {
    draw_all_seeds();
    const std::size_t ranks = is_alone() ? tournament.bots.size() : seatings_.front().size();
    for (const Bot<G>& bot : tournament.bots) figures_.bots.emplace_back(bot.text, ranks);
  }

  /// Calls `done()` after each game.
  template <class Done>
  TournamentFigures run(Done&& done) {
    in_order(
        seeds_.size(), tournament_.threads, [this](std::uint64_t game) { return play(game); },
        [&](std::uint64_t game, const Played<G>& played) {
          add(game, played);
          done();
        });
    return std::move(figures_);
  }

 private:
  [[nodiscard]] bool is_alone() const { return seatings_.front().size() == 1; }

  void draw_all_seeds() {
    Rng rng{tournament_.seed};
    for (std::uint64_t deal = 0; deal < tournament_.deals; ++deal) {
      const Seed game = draw_seed(rng);
      for (std::size_t seating = 0; seating < seatings_.size(); ++seating) {
        seeds_.push_back({.game = game, .bots = draw_seed(rng)});
      }
    }
  }

  [[nodiscard]] const Seating& seating_of(std::uint64_t game) const {
    return seatings_[game % seatings_.size()];
  }

  Played<G> play(std::uint64_t game) const {
    std::vector<const Bot<G>*> bots;
    for (const std::uint8_t bot : seating_of(game)) bots.push_back(&tournament_.bots[bot]);
    return PlayedGame<G>{tournament_.config, bots, seeds_[game], 0}.play({});
  }

  void add(std::uint64_t game, const Played<G>& played) {
    if (game % seatings_.size() == 0) {
      figures_.deals.emplace_back(tournament_.bots.size());
      alone_.clear();
    }
    if (is_alone()) {
      add_alone(played);
    } else {
      add_match(seating_of(game), played);
    }
  }

  void add_match(const Seating& seating, const Played<G>& played) {
    const auto ranks = ranks_of(G::result(played.end), seating.size());
    for (std::size_t seat = 0; seat < seating.size(); ++seat) {
      figures_.bots[seating[seat]].add(
          {.points = Text::points(played.end, Seat{static_cast<std::uint8_t>(seat)}),
           .rank = ranks[seat],
           .tied = tied_with(ranks, seat),
           .pace = played.paces[seat]});
    }
    figures_.deals.back().add_ranks(seating, ranks);
  }

  /// Compares the bots of a deal when the last one has played.
  void add_alone(const Played<G>& played) {
    alone_.push_back({.points = Text::points(played.end, Seat{0}), .pace = played.paces[0]});
    if (alone_.size() < tournament_.bots.size()) return;
    Seating bots;
    std::vector<std::uint8_t> ranks;
    for (const SeatFigures::Game& one : alone_) {
      bots.push_back(static_cast<std::uint8_t>(bots.size()));
      ranks.push_back(
          static_cast<std::uint8_t>(1 + std::ranges::count_if(alone_, [&](const auto& other) {
                                      return other.points > one.points;
                                    })));
    }
    for (const std::uint8_t bot : bots) {
      alone_[bot].rank = ranks[bot];
      alone_[bot].tied = tied_with(ranks, bot);
      figures_.bots[bot].add(alone_[bot]);
    }
    figures_.deals.back().add_ranks(bots, ranks);
  }

  const Tournament<G>& tournament_;
  std::vector<Seating> seatings_;
  std::vector<GameSeeds> seeds_;
  std::vector<SeatFigures::Game> alone_;  // of the deal that is added
  TournamentFigures figures_;
};

/// Plays all games; the configuration is valid. For each deal, its seed and the seeds of the bots
/// in each of its games are drawn from `seed`.
template <GameText Text, class Done>
[[nodiscard]] TournamentFigures play_tournament(const Tournament<typename Text::Game>& tournament,
                                                Done&& done) {
  return RunningTournament<Text>{tournament}.run(done);
}

}  // namespace tesela::cli
