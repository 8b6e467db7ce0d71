#include "engine/strategy/g2048/expectimax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "engine/g2048/board.h"
#include "engine/g2048/packed_board.h"
#include "engine/strategy/g2048/evaluation.h"
#include "engine/strategy/node_counter.h"
#include "engine/strategy/sort_few.h"

namespace tesela::g2048 {

namespace {

constexpr unsigned kEveryDirection = (1U << kDirections.size()) - 1;

/// The deeper a look, the seldomer are the boards that it looks into: one of four moves none that
/// come once in fifty times, and with every move half as often.
float chance_min_of(int depth) {
  constexpr float kOfFour = 0.02F;
  return std::ldexp(kOfFour, 4 - depth);
}

/// A look on a packed board, seldomer boards with every move of depth.
class DeepeningLook {
 public:
  DeepeningLook(PackedLook& look, float chance_min) : look_{look}, chance_min_{chance_min} {}

  double after_move(const PackedBoard& moved, int depth) {
    return look_.after_move(moved.bits(), {.depth = depth, .chance_min = chance_min(depth)});
  }

  [[nodiscard]] bool is_over() const { return look_.is_over(); }
  /// Whether a deeper look than the last one finds more.
  [[nodiscard]] bool goes_on_after(int depth) {
    return look_.take_reached_depth() || chance_min(depth) > chance_min_;
  }

 private:
  [[nodiscard]] float chance_min(int depth) const {
    return std::max(chance_min_, chance_min_of(depth));
  }

  PackedLook& look_;
  float chance_min_;
};

/// A look to a fixed depth on any board. Worthless once the nodes are used up.
class PlainLook {
 public:
  PlainLook(const Config& config, NodeCounter& nodes) : config_{config}, nodes_{nodes} {}

  /// The mean over all spawns, by their weights.
  double after_move(const Board& moved, int depth) {
    if (config_.stop_at_objective && moved.largest() >= config_.objective) {
      return static_cast<double>(kWonWorth);
    }
    if (depth <= 1) {
      reached_depth_ = true;
      return worth_of(moved, config_.size);
    }
    const std::uint32_t empty = moved.empty_count();
    double sum = 0;
    for (std::uint32_t nth = 0; nth < empty && !over_; ++nth) {
      for (const SpawnWeight& weight : std::span{config_.weights}.first(config_.weight_count)) {
        Board spawned = moved;
        spawned.put(spawned.nth_empty(nth), weight.exponent);
        sum += weight.per_mille * after_spawn(spawned, depth - 1);
      }
    }
    return sum / (double{kPerMille} * empty);
  }

  [[nodiscard]] bool is_over() const { return over_; }
  /// Whether a deeper look than the last one finds more.
  [[nodiscard]] bool goes_on_after(int /*depth*/) { return std::exchange(reached_depth_, false); }

 private:
  double after_spawn(const Board& board, int depth) {
    auto most = static_cast<double>(kLostWorth);
    const unsigned legal = board.legal();
    for (const Direction direction : kDirections) {
      if ((legal >> static_cast<unsigned>(direction) & 1U) == 0) {
        continue;
      }
      if (over_ || !nodes_.spend()) {
        over_ = true;
        break;
      }
      Board moved = board;
      moved.slide(direction);
      most = std::max(most, after_move(moved, depth));
    }
    return most;
  }

  const Config& config_;
  NodeCounter& nodes_;
  bool over_{false};
  bool reached_depth_{false};
};

/// A legal move of the root, and its worth.
template <class AnyBoard>
struct RootMove {
  Direction direction{};
  AnyBoard moved;
  double worth{0};
  bool looked_into{false};
};

/// The legal moves of a board, by the result of the deepest look.
template <class AnyBoard>
class Root {
 public:
  explicit Root(const AnyBoard& board) {
    const unsigned legal = board.legal();
    for (const Direction direction : kDirections) {
      if ((legal >> static_cast<unsigned>(direction) & 1U) != 0) {
        AnyBoard moved = board;
        moved.slide(direction);
        moves_[count_++].emplace(RootMove<AnyBoard>{.direction = direction, .moved = moved});
      }
    }
  }

  /// Looks one move further after the other.
  template <class Look>
  void deepen(Look& look, NodeCounter& nodes, int depth_max) {
    for (int depth = 1; depth <= depth_max; depth = next_depth(depth, depth_max)) {
      std::array<double, kDirections.size()> worths{};
      std::size_t done = 0;
      for (; done < count_ && nodes.spend(); ++done) {
        worths[done] = look.after_move(moves_[done]->moved, depth);
        if (look.is_over()) {
          break;
        }
      }
      // Where all is lost within this depth, the move of the look before lives longest.
      const bool lost = depth > 1 && std::ranges::none_of(std::span{worths}.first(done), is_alive);
      if (done == 0 || lost) {
        return;
      }
      take(std::span{worths}.first(done));
      if (done < count_ || !look.goes_on_after(depth)) {
        return;
      }
    }
  }

  /// The best first; those that no look came to are last, in the order of Direction.
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const RootMove<AnyBoard>& operator[](std::size_t index) const {
    return *moves_[index];
  }

 private:
  /// Two and four are left out: their time is better spent on the next.
  static int next_depth(int depth, int depth_max) {
    return depth < 5 && depth % 2 == 1 ? std::max(depth + 1, std::min(depth + 2, depth_max))
                                       : depth + 1;
  }

  static bool is_alive(double worth) { return worth != static_cast<double>(kLostWorth); }
  static bool is_won(double worth) { return worth == static_cast<double>(kWonWorth); }

  /// The first moves have these worths, in a look that came to all of them or is the first.
  void take(std::span<const double> worths) {
    if (worths.size() < count_ && moves_[0]->looked_into) {
      return take_best(worths);
    }
    for (std::size_t index = 0; index < worths.size(); ++index) {
      moves_[index]->worth = worths[index];
      moves_[index]->looked_into = true;
    }
    sort_few(std::span{moves_}.first(worths.size()), std::ranges::greater{},
             [](const auto& move) { return move->worth; });
  }

  /// Of a look that was cut short only the best move counts: its worths cannot be compared with
  /// those of a shallower one. So the worths stay, but none is above that of the best; and beside a
  /// win nothing is said of moves that win later, if they do.
  void take_best(std::span<const double> worths) {
    const auto best = std::ranges::max_element(worths) - worths.begin();
    std::ranges::rotate(moves_.begin(), moves_.begin() + best, moves_.begin() + best + 1);
    RootMove<AnyBoard>& first = *moves_[0];
    const bool won = is_won(worths[static_cast<std::size_t>(best)]);
    first.worth = won ? static_cast<double>(kWonWorth) : first.worth;
    for (std::size_t index = 1; index < count_; ++index) {
      RootMove<AnyBoard>& other = *moves_[index];
      other.worth = std::min(other.worth, first.worth);
      other.looked_into = !won || is_won(other.worth);
    }
  }

  std::array<std::optional<RootMove<AnyBoard>>, kDirections.size()> moves_{};
  std::size_t count_{0};
};

template <class AnyBoard>
Choice<Game> choice_of(const RootMove<AnyBoard>& move) {
  Choice<Game> choice{.move = {move.direction}};
  if (move.looked_into) {
    choice.value = move.worth;
  }
  return choice;
}

}  // namespace

std::uint64_t Expectimax::nodes_per_ms(const State& view) const {
  constexpr std::uint64_t kOfTables = 120'000;
  const bool packs = PackedBoard::holds(view.config, view.cells) &&
                     PackedBoard{view.cells}.legal() <= kEveryDirection;
  return packs ? kOfTables : kOfTables / (view.config.size * view.config.size);
}

template <class Take>
void Expectimax::think(const State& view, const Budget& budget, Take&& take) {
  if (!Game::turn(view)) {
    return;  // the board of a game that was won may have moves
  }
  NodeCounter nodes{budget};
  if (PackedBoard::holds(view.config, view.cells)) {
    const PackedBoard packed{view.cells};
    if (packed.legal() <= kEveryDirection) {
      Root<PackedBoard> root{packed};
      PackedLook packed_look{worths_, cache_, view.config, nodes};
      DeepeningLook look{packed_look, farthest_.chance_min};
      root.deepen(look, nodes, farthest_.depth);
      take(root);
      return;
    }
  }
  Root<Board> root{Board{view.config.size, view.cells}};
  PlainLook look{view.config, nodes};
  root.deepen(look, nodes, farthest_.depth);
  take(root);
}

std::vector<Choice<Game>> Expectimax::rank(const State& view, Seat /*seat*/, Rng& /*rng*/,
                                           const Budget& budget, std::size_t most) {
  std::vector<Choice<Game>> choices;
  if (most == 0) {
    return choices;
  }
  think(view, budget, [&](const auto& root) {
    for (std::size_t index = 0; index < std::min(root.size(), most); ++index) {
      choices.push_back(choice_of(root[index]));
    }
  });
  return choices;
}

Choice<Game> Expectimax::choose(const State& view, Seat /*seat*/, Rng& /*rng*/,
                                const Budget& budget) {
  Choice<Game> best;
  think(view, budget, [&](const auto& root) { best = choice_of(root[0]); });
  return best;
}

}  // namespace tesela::g2048
