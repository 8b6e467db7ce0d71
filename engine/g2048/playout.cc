#include "engine/g2048/playout.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/g2048/board.h"
#include "engine/g2048/packed_board.h"

namespace tesela::g2048 {

namespace {

/// Every set of legal moves, as Board::legal has it, laid out for one draw.
struct Choices {
  std::uint8_t count{};
  std::array<Direction, kDirections.size()> directions{};
};

constexpr auto kChoices = [] {
  std::array<Choices, 16> all{};
  for (unsigned mask = 0; mask < all.size(); ++mask) {
    for (const Direction direction : kDirections) {
      if ((mask >> static_cast<unsigned>(direction) & 1U) != 0) {
        all[mask].directions[all[mask].count++] = direction;
      }
    }
  }
  return all;
}();

/// A game on its way.
template <class AnyBoard>
struct Run {
  AnyBoard board;
  std::uint64_t points{0};
  std::uint64_t moves{0};
};

enum class Step : std::uint8_t { kPlayed, kOver, kOutgrown };

/// Plays one random move. Draws nothing when it answers kOver or kOutgrown.
template <class AnyBoard>
Step step(Run<AnyBoard>& run, const Config& config, Rng& rng) {
  AnyBoard board = run.board;  // nothing else knows this one, so that it can stay in registers
  const unsigned legal = board.legal();
  if (legal - 1 >= kChoices.size() - 1) [[unlikely]] {
    return legal == 0 ? Step::kOver : Step::kOutgrown;
  }
  if (config.stop_at_objective && board.largest() >= config.objective) {
    return Step::kOver;
  }
  const Choices& choices = kChoices[legal];
  run.points += board.slide(choices.directions[rng.uniform(choices.count)]);
  spawn(board, config, kDrawn, rng);
  run.board = board;
  ++run.moves;
  return Step::kPlayed;
}

template <class AnyBoard>
Step run_on(Run<AnyBoard>& run, const Config& config, Rng& rng) {
  Step last = Step::kPlayed;
  while (last == Step::kPlayed) {
    last = step(run, config, rng);
  }
  return last;
}

/// The same game on a board that holds any tile.
Run<Board> unpacked(const Run<PackedBoard>& run, const Config& config) {
  return {.board = {config.size, run.board.cells()}, .points = run.points, .moves = run.moves};
}

/// Plays from `s` to the end.
Run<Board> finish(const State& s, Rng& rng) {
  Run<Board> run{.board = {s.config.size, s.cells}};
  if (PackedBoard::holds(s.config, s.cells)) {
    Run<PackedBoard> packed{.board = PackedBoard{s.cells}};
    run_on(packed, s.config, rng);
    run = unpacked(packed, s.config);
  }
  run_on(run, s.config, rng);  // without effect if the packed board has ended the game
  return run;
}

template <class AnyBoard>
void add(PlayoutTotals& totals, const Run<AnyBoard>& run) {
  ++totals.games;
  totals.moves += run.moves;
  totals.points += run.points;
}

/// The games of play_out_many, which take turns.
class Lanes {
 public:
  Lanes(const State& s, std::uint64_t games, Rng& rng)
      : config_{s.config},
        rng_{rng},
        start_{.board = PackedBoard{s.cells}},
        active_{static_cast<std::size_t>(std::min<std::uint64_t>(games, kPlayoutLanes))},
        waiting_{games - active_} {
    lanes_.fill(start_);
  }

  PlayoutTotals play() {
    while (active_ != 0) {
      for (std::size_t lane = 0; lane < active_; ++lane) {
        const Step last = step(lanes_[lane], config_, rng_);
        if (last != Step::kPlayed) [[unlikely]] {
          end(lane, last);
        }
      }
    }
    return totals_;
  }

 private:
  void end(std::size_t lane, Step last) {
    if (last == Step::kOutgrown) {
      Run<Board> run = unpacked(lanes_[lane], config_);
      run_on(run, config_, rng_);
      add(totals_, run);
    } else {
      add(totals_, lanes_[lane]);
    }
    if (waiting_ != 0) {
      --waiting_;
      lanes_[lane] = start_;
    } else {
      --active_;
      lanes_[lane] = lanes_[active_];
    }
  }

  const Config& config_;
  Rng& rng_;
  const Run<PackedBoard> start_;
  std::size_t active_;     // lanes_ up to here are on the way
  std::uint64_t waiting_;  // games that have not started
  std::array<Run<PackedBoard>, kPlayoutLanes> lanes_;
  PlayoutTotals totals_;
};

}  // namespace

Playout play_out(const State& s, Rng& rng) {
  const Run<Board> run = finish(s, rng);
  Playout playout{.end = s, .moves = run.moves};
  playout.end.cells = run.board.cells();
  playout.end.score += run.points;
  playout.end.objective_reached = run.board.largest() >= s.config.objective;
  return playout;
}

PlayoutTotals play_out_many(const State& s, std::uint64_t games, Rng& rng) {
  if (PackedBoard::holds(s.config, s.cells)) {
    return Lanes{s, games, rng}.play();
  }
  PlayoutTotals totals;
  for (std::uint64_t game = 0; game < games; ++game) {
    add(totals, finish(s, rng));
  }
  return totals;
}

}  // namespace tesela::g2048
