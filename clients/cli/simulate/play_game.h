// One game that bots play here, without a server.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "clients/cli/simulate/bot.h"
#include "engine/core/game.h"
#include "engine/core/rng.h"

namespace tesela::cli {

/// The most moves of a game of one seat; expectimax plays some ten thousand in 2048.
inline constexpr std::uint64_t kMovesOfGameMax = 100'000;
/// The same when several play. No game of Azul has more: engine/azul/RULES.md, "Games without an
/// end".
inline constexpr std::uint64_t kMovesOfMatchMax = 10'000;

/// Observes one game while it is played. Moves count from 1.
template <Game G>
class Observer {
 public:
  virtual ~Observer() = default;
  /// `seed` is that of the game's dice: it and the moves are enough to replay the game.
  virtual void started(std::uint64_t game, const Seed& seed, const typename G::State& s) = 0;
  virtual void moved(std::uint64_t number, const typename G::State& before,
                     const typename G::Move& move, std::span<const typename G::Stage> stages,
                     const typename G::State& after) = 0;
  /// After `moves` moves; the game may have been stopped before its end.
  virtual void ended(std::uint64_t moves, const typename G::State& s) = 0;
  /// Writes the kept games. Called in the order of the games, one at a time, perhaps on another
  /// thread.
  virtual void flush() {}
};

/// The observers of one game.
template <Game G>
using Observers = std::vector<std::unique_ptr<Observer<G>>>;

/// The seeds of the random numbers of one game.
struct GameSeeds {
  Seed game{};
  Seed bots{};
};

/// The 32 bytes of eight words, little-endian.
[[nodiscard]] inline Seed draw_seed(Rng& rng) {
  Seed seed{};
  for (std::size_t i = 0; i < seed.size(); i += 4) {
    const std::uint32_t word = rng.word();
    for (std::size_t byte = 0; byte < 4; ++byte) {
      seed[i + byte] = static_cast<std::uint8_t>(word >> (8 * byte));
    }
  }
  return seed;
}

/// Eight words for the game's dice, then eight for the bots' dice, so that the game's dice do not
/// depend on how many words a bot draws.
[[nodiscard]] inline GameSeeds draw_seeds(Rng& rng) {
  GameSeeds seeds;
  seeds.game = draw_seed(rng);
  seeds.bots = draw_seed(rng);
  return seeds;
}

/// The wall time that a seat has used, and its moves.
struct Pace {
  std::chrono::nanoseconds time{0};
  std::uint64_t moves{0};

  Pace& operator+=(const Pace& other) {
    time += other.time;
    moves += other.moves;
    return *this;
  }
  /// 0 before the first move.
  [[nodiscard]] double ms_per_move() const {
    const std::chrono::duration<double, std::milli> ms = time;
    return moves == 0 ? 0.0 : ms.count() / static_cast<double>(moves);
  }
};

/// The result of a game.
template <Game G>
struct Played {
  typename G::State end{};
  std::uint64_t moves{0};
  std::array<Pace, kSeatsMax> paces{};
};

/// A game with a bot on each seat.
template <Game G>
class PlayedGame {
 public:
  /// `moves_max` is 0 for as many as a game may have. The configuration is valid and has as many
  /// seats as there are bots, which outlive this. The dice of `seeds.bots` draw the seed of each
  /// seat's dice, in order.
  PlayedGame(const typename G::Config& config, std::span<const Bot<G>* const> bots,
             const GameSeeds& seeds, std::uint64_t moves_max)
      : moves_max_{moves_max != 0     ? moves_max
                   : bots.size() == 1 ? kMovesOfGameMax
                                      : kMovesOfMatchMax},
        dice_{seeds.game} {
    Rng of_bots{seeds.bots};
    for (const Bot<G>* bot : bots) {
      seats_.push_back(
          {.strategy = bot->make(), .dice = Rng{draw_seed(of_bots)}, .budget = bot->budget});
    }
    played_.end = G::start(config, dice_).value();
  }

  [[nodiscard]] const typename G::State& start() const { return played_.end; }

  /// Plays to the end, or until `moves_max`. Called once.
  [[nodiscard]] Played<G> play(const Observers<G>& observers) {
    for (auto seat = G::turn(played_.end); seat && played_.moves < moves_max_;
         seat = G::turn(played_.end)) {
      move(*seat, observers);
    }
    for (const auto& observer : observers) observer->ended(played_.moves, played_.end);
    return std::move(played_);
  }

 private:
  struct Player {
    std::unique_ptr<Strategy<G>> strategy;
    Rng dice;
    Budget budget;
  };

  void move(Seat seat, const Observers<G>& observers) {
    Player& player = seats_[seat.value];
    const auto before = std::chrono::steady_clock::now();
    const auto choice = player.strategy->choose(played_.end, seat, player.dice, player.budget);
    played_.paces[seat.value] += {.time = std::chrono::steady_clock::now() - before, .moves = 1};
    ++played_.moves;
    if (observers.empty()) {
      played_.end = G::apply(played_.end, seat, choice.move, dice_, NoStages{}).value();
      return;
    }
    stages_.clear();
    auto after = G::apply(played_.end, seat, choice.move, dice_, CollectStages{stages_}).value();
    for (const auto& observer : observers) {
      observer->moved(played_.moves, played_.end, choice.move, stages_, after);
    }
    played_.end = std::move(after);
  }

  std::uint64_t moves_max_;
  Rng dice_;
  std::vector<Player> seats_;
  Played<G> played_;
  std::vector<typename G::Stage> stages_;
};

}  // namespace tesela::cli
