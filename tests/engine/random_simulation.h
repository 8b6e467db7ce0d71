// The test that every game inherits: thousands of random games, in which every rule of the Game
// concept (engine/core/game.h) is checked in every position.
//
// A game's test makes a type that knows what the game's concept does not say, and calls it:
//
//   struct Chess {
//     using Game = chess::Game;
//     // Any that `start` accepts.
//     static Game::Config config(Rng&);
//     // All there are, and some nonsense.
//     static std::vector<Game::Move> moves(const Game::State&);
//     // Whether the stage's grid is the state's.
//     static bool shows(const Game::Stage&, const Game::State&);
//   };
//   TEST(ChessSimulation, RandomGames) { random_simulation<Chess>({.games = 10'000}); }
//
// A game with more legal moves than can be listed says so (TooManyToList) and its `moves` are a
// sample.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/game.h"
#include "tests/engine/seeds.h"
#include "tests/rounds.h"

namespace tesela::test {

struct SimulationSize {
  std::uint64_t games;
  std::uint64_t moves_max;        // a game; it may end earlier
  std::uint64_t probed_every{1};  // in each so many positions, every move there is is tried
};

/// Of such a game only the first `kListedMax` legal moves are looked at, through a sink that stops
/// there; `is_legal` judges the sample by itself, for the seat on turn.
template <class Traits>
concept TooManyToList =
    requires(const typename Traits::Game::State& s, const typename Traits::Game::Move& move) {
      { Traits::kListedMax } -> std::convertible_to<std::size_t>;
      { Traits::is_legal(s, move) } -> std::same_as<bool>;
    };

/// One game on its way, with everything that is needed to play it again.
template <class Traits>
class SimulatedGame {
 public:
  using Game = typename Traits::Game;
  using State = typename Game::State;
  using Move = typename Game::Move;
  using Stage = typename Game::Stage;

  explicit SimulatedGame(std::uint64_t number)
      : seed_{seed_of(number)},
        choices_{seed_of(~number)},
        config_{Traits::config(choices_)},
        rng_{seed_},
        state_{Game::start(config_, rng_).value()} {}

  /// False when the game was over already. When `probed`, every move there is is tried before.
  bool play_one_move(bool probed) {
    check_turn();
    const std::vector<Move> legal = probed ? check_moves() : listed_moves();
    if (legal.empty()) {
      return false;
    }
    check_move(legal[choices_.uniform(static_cast<std::uint32_t>(legal.size()))]);
    return true;
  }

  /// The same seed and moves make the same game.
  void check_replay() const {
    Rng rng{seed_};
    State s = Game::start(config_, rng).value();
    for (const Move& move : played_) {
      s = Game::apply(s, Game::turn(s).value_or(Seat{}), move, rng, NoStages{}).value();
    }
    EXPECT_EQ(s, state_);
    EXPECT_EQ(rng, rng_);
  }

 private:
  void check_turn() {
    const std::optional<Seat> turn = Game::turn(state_);
    const std::optional<Result> result = Game::result(state_);
    EXPECT_NE(turn.has_value(), result.has_value());
    if (turn) {
      EXPECT_LT(turn->value, Game::seats(config_));
    } else if (result) {
      EXPECT_EQ(result->seats, Game::seats(config_));
    }
  }

  /// legal_moves and apply agree, for every seat and every move there is.
  std::vector<Move> check_moves() {
    std::vector<Move> all_legal;
    const std::vector<Move> universe = Traits::moves(state_);
    for (Seat seat{0}; seat.value <= Game::seats(config_); ++seat.value) {
      std::vector<Move> legal;
      if constexpr (TooManyToList<Traits>) {
        legal = check_sample(seat, universe);
      } else {
        legal = check_all(seat, universe);
      }
      const bool on_turn = Game::turn(state_) == seat;
      EXPECT_EQ(legal.empty(), !on_turn) << "seat " << int{seat.value};
      all_legal.insert(all_legal.end(), legal.begin(), legal.end());
    }
    return all_legal;
  }

  /// The legal moves of the seat on turn. With TooManyToList, the first of them.
  [[nodiscard]] std::vector<Move> listed_moves() const {
    std::vector<Move> legal;
    Game::legal_moves(state_, Game::turn(state_).value_or(Seat{}), [&](const Move& move) {
      legal.push_back(move);
      if constexpr (TooManyToList<Traits>) {
        return legal.size() < Traits::kListedMax;
      }
    });
    return legal;
  }

  /// Of all moves there are just the legal ones are accepted. Returns these.
  std::vector<Move> check_all(Seat seat, const std::vector<Move>& universe) {
    std::vector<Move> legal;
    Game::legal_moves(state_, seat, [&](const Move& move) { legal.push_back(move); });
    for (const Move& move : legal) {
      EXPECT_EQ(std::ranges::count(universe, move), 1) << "legal, but not a move";
    }
    for (const Move& move : universe) {
      check_accepted(seat, move, std::ranges::count(legal, move) == 1);
    }
    return legal;
  }

  /// The same where there are too many: the first moves listed are accepted, and of the sample just
  /// what is legal. Returns all of these.
  std::vector<Move> check_sample(Seat seat, const std::vector<Move>& sample) {
    std::vector<Move> legal;
    Game::legal_moves(state_, seat, [&](const Move& move) {
      legal.push_back(move);
      return legal.size() < Traits::kListedMax;
    });
    const bool all_listed = legal.size() < Traits::kListedMax;
    for (const Move& move : legal) {
      check_accepted(seat, move, true);
    }
    for (const Move& move : sample) {
      const bool is_legal = Game::turn(state_) == seat && Traits::is_legal(state_, move);
      check_accepted(seat, move, is_legal);
      const bool listed = std::ranges::count(legal, move) != 0;
      EXPECT_TRUE(is_legal ? listed || !all_listed : !listed);
      if (is_legal) {
        legal.push_back(move);
      }
    }
    return legal;
  }

  /// A move that is refused changes nothing, and no move changes the state it is played on.
  void check_accepted(Seat seat, const Move& move, bool legal) {
    const State before = state_;
    Rng rng = rng_;
    std::vector<Stage> stages;
    const Expected<State> after = Game::apply(state_, seat, move, rng, CollectStages{stages});
    EXPECT_EQ(after.has_value(), legal);
    EXPECT_EQ(state_, before);
    if (!after) {
      EXPECT_EQ(rng, rng_);
      EXPECT_TRUE(stages.empty());
      EXPECT_FALSE(after.error().message.empty());
    }
  }

  /// Plays it; with stages and without them the same happens, and the last stage shows the state.
  void check_move(const Move& move) {
    const Seat seat = Game::turn(state_).value_or(Seat{});
    Rng untold_rng = rng_;
    const State untold = Game::apply(state_, seat, move, untold_rng, NoStages{}).value();
    std::vector<Stage> stages;
    state_ = Game::apply(state_, seat, move, rng_, CollectStages{stages}).value();
    played_.push_back(move);
    EXPECT_EQ(untold, state_);
    EXPECT_EQ(untold_rng, rng_);
    ASSERT_FALSE(stages.empty());
    EXPECT_TRUE(Traits::shows(stages.back(), state_));
  }

  Seed seed_;
  Rng choices_;  // of the test: configuration and moves
  typename Game::Config config_;
  Rng rng_;  // of the game
  State state_;
  std::vector<Move> played_;
};

template <class Traits>
void random_simulation(SimulationSize size) {
  for (std::uint64_t number = 0; number < rounds(size.games); ++number) {
    SimulatedGame<Traits> game{number};
    std::uint64_t moves = 0;
    while (moves < size.moves_max &&
           game.play_one_move((number + moves) % size.probed_every == 0)) {
      ++moves;
    }
    game.check_replay();
    if (testing::Test::HasFailure()) {
      FAIL() << "in game " << number << ", after " << moves << " moves";
    }
  }
}

}  // namespace tesela::test
