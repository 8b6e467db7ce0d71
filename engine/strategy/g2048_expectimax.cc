#include "engine/strategy/g2048_expectimax.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "engine/g2048/board.h"
#include "engine/g2048/packed_board.h"
#include "engine/strategy/g2048_evaluation.h"
#include "engine/strategy/node_counter.h"

namespace tesela::g2048 {

namespace {

constexpr unsigned kEveryDirection = (1U << kDirections.size()) - 1;

/// A move, and what it is worth.
struct Found {
  Direction direction;
  Worth worth;
};

/// A look ahead on one kind of board. Once the nodes are used up every answer is worthless.
template <class AnyBoard>
class Look {
 public:
  Look(const Config& config, NodeCounter& nodes) : config_{config}, nodes_{nodes} {}

  /// The best move so many moves ahead, the first in the order of Direction on ties; empty when the
  /// nodes do not suffice, or there is no legal move.
  std::optional<Found> best(const AnyBoard& board, int depth) {
    std::optional<Found> best;
    each_move(board, [&](Direction direction, const AnyBoard& moved) {
      const Worth worth = after_move(moved, depth);
      if (!best || worth > best->worth) {
        best = Found{.direction = direction, .worth = worth};
      }
    });
    return out_of_nodes_ ? std::nullopt : best;
  }

 private:
  /// Calls visit(direction, board after the move, before the spawn) for the legal moves.
  template <class Visit>
  void each_move(const AnyBoard& board, Visit&& visit) {
    const unsigned legal = board.legal();
    for (const Direction direction : kDirections) {
      if ((legal >> static_cast<unsigned>(direction) & 1U) == 0) {
        continue;
      }
      if (out_of_nodes_ || !nodes_.spend()) {
        out_of_nodes_ = true;
        return;
      }
      AnyBoard moved = board;
      moved.slide(direction);
      visit(direction, moved);
    }
  }

  /// The mean over all spawns, by their weights.
  Worth after_move(const AnyBoard& moved, int depth) {
    if (config_.stop_at_objective && moved.largest() >= config_.objective) {
      return kWonWorth;
    }
    if (depth <= 1) {
      return worth_of(moved, config_.size);
    }
    const std::uint32_t empty = moved.empty_count();
    Worth sum = 0;
    for (std::uint32_t nth = 0; nth < empty && !out_of_nodes_; ++nth) {
      for (const SpawnWeight& weight : std::span{config_.weights}.first(config_.weight_count)) {
        AnyBoard spawned = moved;
        spawned.put(spawned.nth_empty(nth), weight.exponent);
        sum += weight.per_mille * after_spawn(spawned, depth - 1);
      }
    }
    return sum / (Worth{kPerMille} * empty);
  }

  Worth after_spawn(const AnyBoard& board, int depth) {
    if (board.legal() > kEveryDirection) {
      return worth_of(board, config_.size);  // it holds no move that makes a larger tile
    }
    Worth most = kLostWorth;
    each_move(board, [&](Direction, const AnyBoard& moved) {
      most = std::max(most, after_move(moved, depth));
    });
    return most;
  }

  const Config& config_;
  NodeCounter& nodes_;
  bool out_of_nodes_{false};
};

template <class AnyBoard>
std::optional<Found> deepen(const AnyBoard& board, const Config& config, int depth_max,
                            NodeCounter& nodes) {
  std::optional<Found> best;
  for (int depth = 1; depth <= depth_max; ++depth) {
    const auto found = Look<AnyBoard>{config, nodes}.best(board, depth);
    // Where all is lost within this depth, the move of the look before lives longest.
    if (!found || (best && found->worth == kLostWorth)) {
      break;
    }
    best = found;
  }
  return best;
}

std::optional<Found> search(const State& s, int depth_max, NodeCounter& nodes) {
  if (PackedBoard::holds(s.config, s.cells)) {
    const PackedBoard packed{s.cells};
    if (packed.legal() <= kEveryDirection) {
      return deepen(packed, s.config, depth_max, nodes);
    }
  }
  return deepen(Board{s.config.size, s.cells}, s.config, depth_max, nodes);
}

}  // namespace

Choice<Game> Expectimax::choose(const State& view, Seat seat, Rng& /*rng*/, const Budget& budget) {
  if (!Game::turn(view)) {
    return {};  // the board of a game that was won may have moves
  }
  NodeCounter nodes{budget};
  if (const auto best = search(view, depth_max_, nodes)) {
    return {.move = {best->direction}, .value = static_cast<double>(best->worth)};
  }
  Choice<Game> first;
  bool found = false;
  Game::legal_moves(view, seat, [&](const Move& move) {
    first.move = found ? first.move : move;
    found = true;
  });
  return first;
}

}  // namespace tesela::g2048
