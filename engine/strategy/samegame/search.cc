#include "engine/strategy/samegame/search.h"

#include <algorithm>
#include <limits>

#include "engine/samegame/row_major.h"
#include "engine/strategy/node_counter.h"
#include "engine/strategy/two_searches.h"

namespace tesela::samegame {

namespace {

[[nodiscard]] bool is_small(const Setting& setting) {
  return SmallBoard::has_room(setting.rows, setting.columns, setting.colours);
}

/// Any legal move, for when there was no time for a single playout.
template <class AnyBoard>
[[nodiscard]] std::uint16_t first_place(const StateOn<AnyBoard>& s) {
  return static_cast<std::uint16_t>(s.board.playable().first());
}

}  // namespace

template <class AnyBoard>
Nrpa<AnyBoard>& Search::search_of(Plan<AnyBoard>& plan, const StateOn<AnyBoard>& s) {
  if (!plan.nrpa) {
    plan.nrpa = std::make_unique<Nrpa<AnyBoard>>(settings_, memory_.tree_bytes);
  }
  if (plan.position != s) {
    plan.nrpa->start(s);
    plan.position = s;
  }
  return *plan.nrpa;
}

template <class AnyBoard>
Nrpa<AnyBoard>& Search::think(Plan<AnyBoard>& plan, const StateOn<AnyBoard>& s, Rng& rng,
                              const Budget& budget) {
  NodeCounter nodes{budget};
  Nrpa<AnyBoard>& nrpa = search_of(plan, s);
  nrpa.search(rng, nodes);
  return nrpa;
}

template <class AnyBoard>
Choice<Game> Search::choose_on(Plan<AnyBoard>& plan, const StateOn<AnyBoard>& s, Rng& rng,
                               const Budget& budget) {
  using Set = typename AnyBoard::Set;
  Nrpa<AnyBoard>& nrpa = think(plan, s, rng, budget);
  Choice<Game> choice;
  std::uint16_t place = 0;
  if (const auto steps = nrpa.best().steps(); steps.empty()) {
    place = first_place(s);
  } else {
    place = steps.front().place;
    choice.value = nrpa.best().score;
  }
  choice.move = {cell_of<Set>(s.setting, place)};
  nrpa.advance(place);
  const NoStages untold;
  plan.position->points +=
      remove_group(s.setting, plan.position->board, plan.position->board.group(place), untold);
  return choice;
}

template <class AnyBoard>
std::vector<Choice<Game>> Search::rank_on(Plan<AnyBoard>& plan, const StateOn<AnyBoard>& s,
                                          Rng& rng, const Budget& budget, std::size_t most,
                                          const Move* named) {
  using Set = typename AnyBoard::Set;
  const Nrpa<AnyBoard>& nrpa = think(plan, s, rng, budget);
  const auto steps = nrpa.best().steps();
  std::vector<Choice<Game>> choices;
  for (Set left = s.board.playable(); !left.empty();) {
    const auto place = left.first();
    const Set group = s.board.group(place);
    left -= group;
    Choice<Game> choice{.move = {cell_of<Set>(s.setting, place)}};
    if (named != nullptr && group.contains(place_of<Set>(s.setting, named->cell))) {
      choice.move = *named;
    }
    if (const std::int32_t best = nrpa.best_after(static_cast<std::uint16_t>(place));
        best != Nrpa<AnyBoard>::kNone) {
      choice.value = best;
    }
    // Of moves that are worth the same, `choose` plays the one of the plan.
    const bool is_planned = !steps.empty() && steps.front().place == place;
    choices.insert(is_planned ? choices.begin() : choices.end(), choice);
  }
  std::ranges::stable_sort(choices, [](const Choice<Game>& a, const Choice<Game>& b) {
    return a.value && (!b.value || *a.value > *b.value);
  });
  choices.resize(std::min(choices.size(), most));
  return choices;
}

template <class AnyBoard>
void Search::resume_on(Plan<AnyBoard>& plan, const StateOn<AnyBoard>& s,
                       std::span<const Move> moves) {
  std::vector<std::uint16_t> places;
  places.reserve(moves.size());
  for (const Move& move : moves) {
    if (move.cell >= s.setting.cell_count()) {
      return;
    }
    places.push_back(
        static_cast<std::uint16_t>(place_of<typename AnyBoard::Set>(s.setting, move.cell)));
  }
  search_of(plan, s).take_over(places);
}

template <class AnyBoard>
std::vector<Move> Search::moves_of(const Plan<AnyBoard>& plan) {
  std::vector<Move> moves;
  for (const RolloutTrace::Step& step : plan.nrpa->best().steps()) {
    moves.push_back({cell_of<typename AnyBoard::Set>(plan.position->setting, step.place)});
  }
  return moves;
}

std::vector<Move> Search::plan() const {
  if (!planned_) {
    return {};
  }
  return is_small(*planned_) ? moves_of(small_) : moves_of(large_);
}

void Search::resume(const State& view, std::span<const Move> plan) {
  if (plan.empty() || !Game::turn(view)) {
    return;
  }
  is_small(view.setting) ? resume_on(small_, small_of(view), plan) : resume_on(large_, view, plan);
}

Choice<Game> Search::choose(const State& view, Seat /*seat*/, Rng& rng, const Budget& budget) {
  if (!Game::turn(view)) {
    return {};
  }
  planned_ = view.setting;
  return is_small(view.setting) ? choose_on(small_, small_of(view), rng, budget)
                                : choose_on(large_, view, rng, budget);
}

std::vector<Choice<Game>> Search::rank(const State& view, Seat /*seat*/, Rng& rng,
                                       const Budget& budget, std::size_t most) {
  return rank_named(view, rng, budget, most, nullptr);
}

std::vector<Choice<Game>> Search::compare(const State& view, Seat seat, Rng& rng,
                                          const Budget& budget, const Move& played) {
  const Budget half = half_of(budget);
  auto choices = rank_named(view, rng, half, std::numeric_limits<std::size_t>::max(), &played);
  const auto found = std::ranges::find(choices, played, &Choice<Game>::move);
  const auto after = Game::apply(view, seat, played, rng, NoStages{});
  if (found == choices.begin() || found == choices.end() || !after || !Game::turn(*after)) {
    return choices;
  }
  // The search soon plays one group alone and knows little of the others, so the played move gets
  // its own search.
  const auto answers = rank_named(*after, rng, half, 1, nullptr);
  Choice<Game> judged = *found;
  judged.value = std::max(judged.value, answers.front().value);
  put_judged<Game>(choices, judged);
  return choices;
}

std::vector<Choice<Game>> Search::rank_named(const State& view, Rng& rng, const Budget& budget,
                                             std::size_t most, const Move* named) {
  if (most == 0 || !Game::turn(view)) {
    return {};
  }
  planned_.reset();  // another search than that of the last choice
  return is_small(view.setting) ? rank_on(small_, small_of(view), rng, budget, most, named)
                                : rank_on(large_, view, rng, budget, most, named);
}

}  // namespace tesela::samegame
