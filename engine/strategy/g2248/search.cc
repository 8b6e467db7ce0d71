#include "engine/strategy/g2248/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/g2248/cell_set.h"
#include "engine/g2248/chain.h"
#include "engine/strategy/g2248/walks.h"
#include "engine/strategy/sort_few.h"

namespace tesela::g2248 {

namespace {

/// Plays on a board of one shape as looks best.
template <class Bits, std::size_t Capacity>
class Player {
 public:
  using Board = BoardOf<Capacity>;

  Player(const OutlookWeights& weights, std::uint8_t rows, std::uint8_t columns)
      : walks_{rows, columns}, outlook_{weights, rows, columns} {}

  /// The estimated worth of a board after a chain.
  [[nodiscard]] float after(const Board& board, std::span<const Cell> chain, Exponent value) const {
    Board left = board;
    for (const Cell cell : chain) {
      left.cells[cell] = 0;
    }
    left.cells[chain.back()] = value;
    fall(left, [](Cell, Cell) {});
    return outlook_.of(left, value, largest(board));
  }

  /// The same after the booster.
  [[nodiscard]] float after_booster(const Board& board, const Groups& groups) const {
    Board left = board;
    Exponent made = 0;
    for (std::size_t index = 0; index < groups.size(); ++index) {
      const Group group = groups[index];
      const Exponent value = value_of(board, group.cells);
      for (const Cell cell : group.cells) {
        left.cells[cell] = 0;
      }
      left.cells[group.sum_cell()] = value;
      made = std::max(made, value);
    }
    fall(left, [](Cell, Cell) {});
    return outlook_.of(left, made, largest(board));
  }

  Walks<Bits>& walks() { return walks_; }

  /// How a move went.
  enum class Played : std::uint8_t { kYes, kNoChain, kNoNodes };

  /// Plays the chain that looks best, with drawn refills. `gained` is the board's estimated worth
  /// then.
  Played play_best(Board& board, Rng& rng, NodeCounter& nodes, float& gained) {
    Path best;
    Exponent value = 0;
    float highest = -std::numeric_limits<float>::infinity();
    bool over = false;
    walks_.each(board, [&](const Walk& walk) {
      over = over || !nodes.spend();
      if (over) {
        return;
      }
      if (const float worth = after(board, walk.chain, walk.value); worth > highest) {
        highest = worth;
        best = Path{walk.chain};
        value = walk.value;
      }
    });
    if (over || best.empty()) {
      return over ? Played::kNoNodes : Played::kNoChain;
    }
    gained = highest;
    join(board, best.cells(), {.value = value, .goal_reached = false}, rng, NoStages{});
    return Played::kYes;
  }

 private:
  Walks<Bits> walks_;
  Outlook<Bits> outlook_;
};

/// Two equal neighbours, of the largest there are; empty where there is no chain.
Path largest_pair(BoardView board) {
  Path pair;
  Exponent most = 0;
  for (std::size_t index = 0; index < board.cells.size(); ++index) {
    const auto cell = static_cast<Cell>(index);
    const Exponent value = board.cells[cell];
    if (value <= most || value == kExponentMax) {
      continue;  // two of the largest tiles are worth too much (R-2248-4)
    }
    for_each_neighbour(board.rows, board.columns, cell, [&](std::size_t /*direction*/, Cell to) {
      if (board.cells[to] == value) {
        pair = {cell, to};
        most = value;
      }
    });
  }
  return pair;
}

/// Candidates that are kept while they are looked for; then the best of them stay.
constexpr std::size_t kFoundMax = 64;

}  // namespace

Search::Search(const SearchSettings& settings) : settings_{settings} {
  candidates_.reserve(kFoundMax + 1);
}

void Search::add(const Move& move, Exponent value, float outlook) {
  if (candidates_.size() == kFoundMax && outlook <= candidates_.back().outlook) {
    return;
  }
  if (std::ranges::any_of(candidates_,
                          [&](const Candidate& known) { return known.move == move; })) {
    return;
  }
  // The best first, and of equal ones the first that was found.
  const auto place = std::ranges::find_if(
      candidates_, [&](const Candidate& known) { return known.outlook < outlook; });
  candidates_.insert(place, {.move = move, .value = value, .outlook = outlook});
  if (candidates_.size() > kFoundMax) {
    candidates_.pop_back();
  }
}

std::size_t Search::most_urgent(std::uint64_t tries) const {
  const double log = std::log(static_cast<double>(tries) + 1);
  std::size_t best = 0;
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t index = 0; index < candidates_.size(); ++index) {
    const Candidate& candidate = candidates_[index];
    if (candidate.tries == 0) {
      return index;
    }
    const double urgency =
        candidate.mean + double{settings_.exploration} * std::sqrt(log / candidate.tries);
    if (urgency > highest) {
      highest = urgency;
      best = index;
    }
  }
  return best;
}

template <class Bits, std::size_t Capacity>
void Search::search_on(const BoardOf<Capacity>& board, Rng& rng, NodeCounter& nodes,
                       const Move* also) {
  Player<Bits, Capacity> player{settings_.outlook, board.rows, board.columns};
  // There is a move, also where the nodes do not suffice to look for one.
  if (const Path pair = largest_pair(board); !pair.empty()) {
    const Exponent value = value_of(board, pair.cells());
    add({.kind = MoveKind::kChain, .chain = pair}, value, player.after(board, pair.cells(), value));
  }
  const auto judge = [&](const Walk& walk) {
    if (nodes.spend()) {
      add({.kind = MoveKind::kChain, .chain = Path{walk.chain}}, walk.value,
          player.after(board, walk.chain, walk.value));
    }
  };
  player.walks().each(board, judge);
  player.walks().each_drawn(board, rng, judge);
  if (const Groups groups{board}; check_booster(board, groups)) {
    add({.kind = MoveKind::kBooster}, 0, player.after_booster(board, groups));
  }
  if (candidates_.size() > settings_.candidates_max) {
    candidates_.resize(settings_.candidates_max);
  }
  // Not by `add`, which keeps the best alone.
  if (also != nullptr &&
      std::ranges::find(candidates_, *also, &Candidate::move) == candidates_.end()) {
    const Path& chain = also->chain;
    const bool booster = also->kind == MoveKind::kBooster;
    const Exponent value = booster ? Exponent{0} : value_of(board, chain.cells());
    const float outlook = booster ? player.after_booster(board, Groups{board})
                                  : player.after(board, chain.cells(), value);
    candidates_.push_back({.move = *also, .value = value, .outlook = outlook});
  }
  for (std::uint64_t tries = 0; !candidates_.empty(); ++tries) {
    Candidate& candidate = candidates_[most_urgent(tries)];
    BoardOf<Capacity> played = board;
    if (!nodes.spend()) {
      return;
    }
    if (candidate.move.kind == MoveKind::kBooster) {
      collapse(played, Groups{played}, rng, NoStages{});
    } else {
      join(played, candidate.move.chain.cells(), {.value = candidate.value, .goal_reached = false},
           rng, NoStages{});
    }
    // The estimated worth of the first board, and the gains on the way from there.
    float worth = candidate.outlook;
    float gained = 0;
    for (int move = 0; move < settings_.depth; ++move) {
      const auto done = player.play_best(played, rng, nodes, gained);
      if (done == Player<Bits, Capacity>::Played::kNoNodes) {
        return;
      }
      if (done == Player<Bits, Capacity>::Played::kNoChain) {
        worth += settings_.lost;
        break;
      }
      worth += gained;
    }
    ++candidate.tries;
    candidate.mean += (double{worth} - candidate.mean) / candidate.tries;
  }
}

void Search::think(const State& view, Rng& rng, const Budget& budget, const Move* also) {
  candidates_.clear();
  if (!Game::turn(view)) {
    return;
  }
  NodeCounter nodes{budget};
  if (view.board.size() <= kSmallCellsMax) {
    SmallBoard board{.rows = view.board.rows, .columns = view.board.columns};
    std::ranges::copy(view.board.used(), board.cells.begin());
    search_on<Bits64>(board, rng, nodes, also);
  } else {
    search_on<Bits128>(view.board, rng, nodes, also);
  }
  // By tries: the mean of a move that was tried seldom says little. Of those that were tried as
  // often, the one that left the better board is first.
  sort_few(candidates_, std::ranges::greater{}, &Candidate::tries);
}

Choice<Game> Search::choice_of(const Candidate& candidate) {
  Choice<Game> choice{.move = candidate.move};
  if (candidate.tries != 0) {
    choice.value = candidate.mean;
  }
  return choice;
}

std::vector<Choice<Game>> Search::best_of_candidates(std::size_t most) const {
  std::vector<Choice<Game>> choices;
  for (std::size_t index = 0; index < std::min(most, candidates_.size()); ++index) {
    choices.push_back(choice_of(candidates_[index]));
  }
  return choices;
}

std::vector<Choice<Game>> Search::rank(const State& view, Seat /*seat*/, Rng& rng,
                                       const Budget& budget, std::size_t most) {
  if (most == 0) {
    return {};
  }
  think(view, rng, budget);
  return best_of_candidates(most);
}

std::vector<Choice<Game>> Search::compare(const State& view, Seat /*seat*/, Rng& rng,
                                          const Budget& budget, const Move& played) {
  think(view, rng, budget, &played);
  return best_of_candidates(candidates_.size());
}

Choice<Game> Search::choose(const State& view, Seat /*seat*/, Rng& rng, const Budget& budget) {
  think(view, rng, budget);
  return candidates_.empty() ? Choice<Game>{} : choice_of(candidates_.front());
}

}  // namespace tesela::g2248
