#include "engine/strategy/azul/search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/strategy/azul/move_values.h"
#include "engine/strategy/azul/moves.h"
#include "engine/strategy/two_searches.h"

namespace tesela::azul {

namespace {

/// A node gets its children when it is visited for the second time.
constexpr std::uint32_t kVisitsToExpand = 1;
/// The tree of a round is no deeper than it has tiles.
constexpr std::size_t kDepthMax = kTilesPerFactory * kFactoriesMax;

/// Whether a move was found better by a search.
bool is_better(const RoundTree::Node& a, const RoundTree::Node& b) {
  return a.visits != b.visits ? a.visits > b.visits
         : a.prior != b.prior ? a.prior > b.prior
                              : packed(a.move) < packed(b.move);
}

}  // namespace

RoundTree::RoundTree(std::size_t bytes) {
  constexpr auto kMost = std::size_t{std::numeric_limits<Index>::max()};
  nodes_.reserve(std::clamp(bytes / sizeof(Node), std::size_t{1}, kMost));
  reset();
}

void RoundTree::reset() {
  nodes_.clear();
  nodes_.emplace_back();
}

void RoundTree::expand(Index parent, std::span<const Node> children) {
  nodes_[parent].first_child = static_cast<Index>(nodes_.size());
  nodes_[parent].child_count = static_cast<std::uint16_t>(children.size());
  nodes_.insert(nodes_.end(), children.begin(), children.end());
}

void RoundTree::visit(Index index, const Values<kPlayersMax>& values) {
  Node& node = nodes_[index];
  ++node.visits;
  const float share = 1 / static_cast<float>(node.visits);
  for (std::size_t seat = 0; seat < values.size(); ++seat) {
    node.means[seat] += (values[seat] - node.means[seat]) * share;
  }
}

void Search::expand(RoundTree::Index index, const State& s) {
  std::array<RoundTree::Node, kMovesMax> found;
  std::size_t count = 0;
  MovePriors{s, priors_}.each([&](const Move& move, float exponent) {
    found[count++] = {.move = move, .prior = exponent};
  });
  const std::size_t kept = std::min<std::size_t>(count, settings_.moves_max);
  if (!tree_.has_room(kept)) {
    return;
  }
  const auto children = std::span{found}.first(count);
  // Ties are broken by the order of moves, so that the tree is the same everywhere.
  std::ranges::partial_sort(children, children.begin() + static_cast<std::ptrdiff_t>(kept),
                            [](const RoundTree::Node& a, const RoundTree::Node& b) {
                              return a.prior != b.prior ? a.prior > b.prior
                                                        : packed(a.move) < packed(b.move);
                            });
  const float best = found[0].prior;
  float sum = 0;
  for (RoundTree::Node& child : children.first(kept)) {
    child.prior = std::exp((child.prior - best) / settings_.prior_temperature);
    sum += child.prior;
  }
  for (RoundTree::Node& child : children.first(kept)) {
    child.prior /= sum;
  }
  tree_.expand(index, children.first(kept));
}

RoundTree::Index Search::most_urgent(RoundTree::Index parent, std::size_t seat) const {
  const RoundTree::Node& node = tree_[parent];
  // A move that was not tried yet is taken to be as good as the position, less a little.
  constexpr float kUntriedLoss = 0.05F;
  const float untried = node.means[seat] - kUntriedLoss;
  const float tries = settings_.exploration * std::sqrt(static_cast<float>(node.visits));
  RoundTree::Index best = node.first_child;
  float highest = -std::numeric_limits<float>::infinity();
  for (RoundTree::Index child = node.first_child; child < node.first_child + node.child_count;
       ++child) {
    const RoundTree::Node& tried = tree_[child];
    const float value = tried.visits == 0 ? untried : tried.means[seat];
    const float urgency = value + tries * tried.prior / static_cast<float>(1 + tried.visits);
    if (urgency > highest) {
      highest = urgency;
      best = child;
    }
  }
  return best;
}

bool Search::grow(const State& root, Rng& rng, NodeCounter& nodes) {
  State s = root;
  const NoStages untold;
  Telling tell{s.table, untold};
  std::array<RoundTree::Index, kDepthMax + 1> path{RoundTree::kRoot};
  std::size_t depth = 0;
  bool ended = false;
  while (!ended) {
    const RoundTree::Index at = path[depth];
    if (tree_[at].child_count == 0 && tree_[at].visits >= kVisitsToExpand) {
      expand(at, s);
    }
    if (tree_[at].child_count == 0 || depth == kDepthMax) {
      break;
    }
    if (!nodes.spend()) {
      return false;
    }
    path[++depth] = most_urgent(at, s.turn.value);
    ended = play_in_round(s, tree_[path[depth]].move, tell);
  }
  while (!ended) {
    if (!nodes.spend()) {
      return false;
    }
    ended = play_in_round(s, MovePriors{s, priors_}.draw(settings_.playout_temperature, rng), tell);
  }
  const Values<kPlayersMax> values = shares(evaluation_, s);
  for (std::size_t step = 0; step <= depth; ++step) {
    tree_.visit(path[step], values);
  }
  return true;
}

void Search::think(const State& root, Rng& rng, const Budget& budget) {
  NodeCounter nodes{budget};
  tree_.reset();
  while (grow(root, rng, nodes)) {
  }
  if (tree_[RoundTree::kRoot].child_count == 0) {
    expand(RoundTree::kRoot, root);
  }
}

Choice<Game> Search::any_choice(const State& s, Rng& rng) const {
  return {.move = MovePriors{s, priors_}.draw(settings_.playout_temperature, rng)};
}

Choice<Game> Search::choice_of(const RoundTree::Node& node, Seat seat) {
  Choice<Game> choice{.move = node.move};
  if (node.visits != 0) {
    choice.value = node.means[seat.value];
  }
  return choice;
}

std::vector<Choice<Game>> Search::rank(const State& view, Seat seat, Rng& rng, const Budget& budget,
                                       std::size_t most) {
  if (view.over || most == 0) {
    return {};
  }
  think(view, rng, budget);
  const auto children = tree_.children(RoundTree::kRoot);
  if (children.empty()) {
    return {any_choice(view, rng)};
  }
  std::vector<RoundTree::Node> sorted{children.begin(), children.end()};
  std::ranges::sort(sorted, is_better);
  std::vector<Choice<Game>> choices;
  for (const RoundTree::Node& node : std::span{sorted}.first(std::min(most, sorted.size()))) {
    choices.push_back(choice_of(node, seat));
  }
  return choices;
}

std::vector<Choice<Game>> Search::compare(const State& view, Seat seat, Rng& rng,
                                          const Budget& budget, const Move& played) {
  const Budget half = half_of(budget);
  auto choices = rank(view, seat, rng, half, std::numeric_limits<std::size_t>::max());
  const auto found = std::ranges::find(choices, played, &Choice<Game>::move);
  const auto after = Game::apply(view, seat, played, rng, NoStages{});
  if (!after || after->over || (found != choices.end() && found->value)) {
    return choices;
  }
  // The tree has not come to it: its value is that of the best answer to it.
  think(*after, rng, half);
  const auto answers = tree_.children(RoundTree::kRoot);
  const auto best = std::ranges::min_element(answers, is_better);
  if (best == answers.end()) {
    return choices;
  }
  put_judged<Game>(choices, {.move = played, .value = choice_of(*best, seat).value});
  return choices;
}

Choice<Game> Search::choose(const State& view, Seat seat, Rng& rng, const Budget& budget) {
  if (view.over) {
    return {};
  }
  think(view, rng, budget);
  const auto children = tree_.children(RoundTree::kRoot);
  const auto best = std::ranges::min_element(children, is_better);
  return best == children.end() ? any_choice(view, rng) : choice_of(*best, seat);
}

}  // namespace tesela::azul
