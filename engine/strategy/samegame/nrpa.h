// Nested rollout policy adaptation on SameGame: playouts follow a policy that learns from the best
// sequence so far, on several levels. Sources: Rosin, Nested Rollout Policy Adaptation for Monte
// Carlo Tree Search (2011); Cazenave, Generalized Nested Rollout Policy Adaptation (2020), for the
// bias by the size of a group; the tabu colour is that of Schadd et al. (2012).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/rng.h"
#include "engine/samegame/group_list.h"
#include "engine/strategy/node_counter.h"

namespace tesela::samegame {

/// What of a search can be tuned.
struct NrpaSettings {
  int iterations{12};     // of each level, in the first searches
  int growth{8};          // of them, every third search
  int playouts{4};        // between two adaptations on the lowest level
  float rate{1.0F};       // by how much an adaptation raises the logarithm of a weight
  float size_bias{0.2F};  // how much the logarithm of a weight rises with each tile of a group
};

/// A playout, as its policy learns from it.
class RolloutTrace {
 public:
  /// One of the moves of a step.
  struct Option {
    std::uint16_t slot;  // in the policy
    std::uint16_t bias;  // number of a bias
  };
  struct Step {
    std::uint32_t first;   // of its options
    std::uint16_t count;   // of them; 0 when there was no room for them
    std::uint16_t chosen;  // of them
    std::uint16_t place;   // of the move
  };

  RolloutTrace(std::size_t steps, std::size_t options) {
    steps_.reserve(steps);
    options_.reserve(options);
  }

  void clear() {
    steps_.clear();
    options_.clear();
    score = std::numeric_limits<std::int32_t>::min();
  }

  [[nodiscard]] bool has_room(std::size_t options) const {
    return options_.size() + options <= options_.capacity();
  }
  void add_option(Option option) { options_.push_back(option); }
  void add_step(Step step) { steps_.push_back(step); }

  [[nodiscard]] std::span<const Step> steps() const { return steps_; }
  [[nodiscard]] std::span<const Option> options(const Step& step) const {
    return std::span{options_}.subspan(step.first, step.count);
  }
  [[nodiscard]] std::size_t option_count() const { return options_.size(); }

  /// Forgets the first step if its move is the one at `place`, else everything.
  void advance(std::uint16_t place) {
    if (steps_.empty() || steps_.front().place != place) {
      clear();
    } else {
      steps_.erase(steps_.begin());
    }
  }

  std::int32_t score{std::numeric_limits<std::int32_t>::min()};  // at the end of the game

 private:
  std::vector<Step> steps_;
  std::vector<Option> options_;
};

/// The search. It goes on for as long as it is asked to, beginning anew when its levels are done.
/// Takes its memory at once.
template <class AnyBoard>
class Nrpa {
 public:
  Nrpa(const NrpaSettings& settings, std::size_t bytes)
      : settings_{settings},
        slots_{std::clamp(std::bit_floor(bytes / (4 * sizeof(float) * kLevels)), std::size_t{256},
                          std::size_t{1} << 16U)},
        best_{kStepsMax, kOptionsMax} {
    colours_.reserve(kColoursMax);
    for (std::size_t level = 0; level < kLevels; ++level) {
      levels_.push_back({.policy = std::vector<float>(slots_, 1.0F),
                         .best = RolloutTrace{kStepsMax, kOptionsMax}});
    }
    for (std::size_t bias = 0; bias < kBiases; ++bias) {
      biases_[bias] = std::exp(settings.size_bias * static_cast<float>(bias));
    }
  }

  /// Begins a search of a position in play.
  void start(const StateOn<AnyBoard>& root) {
    root_.emplace(root);
    best_.clear();
    best_after_.fill(kNone);
    restarts_ = 0;
    playouts_ = 0;
    colours_.clear();
    for (std::uint16_t colour = 1; colour <= root.setting.colours; ++colour) {
      colours_.push_back({.colour = colour,
                          .tiles = root.board.tiles_of(colour).size(),
                          .score = std::numeric_limits<std::int32_t>::min()});
    }
    std::ranges::sort(colours_, [](const auto& a, const auto& b) {
      return a.tiles != b.tiles ? a.tiles > b.tiles : a.colour < b.colour;
    });
    restart();
  }

  /// Goes on from the position after the move at `place`, the lowest of its group.
  void advance(std::uint16_t place) {
    for (std::size_t index = 0; index < root_->groups().size(); ++index) {
      if (root_->groups()[index].cells.first() == place) {
        root_->play(index);
        break;
      }
    }
    best_.advance(place);
    best_after_.fill(kNone);
    if (!best_.steps().empty()) {
      best_after_[best_.steps().front().place] = best_.score;
    }
    for (Level& level : levels_) {
      level.best.advance(place);
    }
  }

  /// Takes moves from the position to the end of the game as the best known ones, each by any place
  /// of its group. Others are forgotten.
  void take_over(std::span<const std::uint16_t> places) {
    GroupList<AnyBoard> game{*root_};
    trace_.clear();
    for (const std::uint16_t place : places) {
      const auto found = std::ranges::find_if(
          game.groups(), [&](const auto& group) { return group.cells.contains(place); });
      if (found == game.groups().end()) {
        return;
      }
      const auto index = static_cast<std::size_t>(found - game.groups().begin());
      list_options(game.groups(), levels_.front().policy, kNoColour);
      note_step(game.groups(), static_cast<std::uint16_t>(index));
      game.play(index);
    }
    if (!game.groups().empty()) {
      return;
    }
    trace_.score = score(game.state());
    remember_best();
    levels_.back().best = best_;
  }

  /// Plays until the nodes are used up.
  void search(Rng& rng, NodeCounter& nodes) {
    while (play_out(rng, nodes)) {
      learn();
    }
  }

  /// The best sequence found since start(), its first move first; empty before the first playout
  /// has come to its end.
  [[nodiscard]] const RolloutTrace& best() const { return best_; }

  /// The best score of those that began with the move at `place`; kNone when none has.
  static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();
  [[nodiscard]] std::int32_t best_after(std::uint16_t place) const { return best_after_[place]; }

 private:
  static constexpr std::size_t kLevels = 3;
  static constexpr std::size_t kStepsMax = AnyBoard::kPlaces / 2;
  static constexpr std::size_t kOptionsMax = std::size_t{1} << 14U;
  static constexpr std::size_t kBiases = 9;
  static constexpr std::size_t kColoursTried = 3;
  static constexpr std::uint16_t kNoColour = 0;

  struct SparedColour {
    std::uint16_t colour;
    std::uint32_t tiles;
    std::int32_t score;  // the best of the playouts that spared it
  };

  /// The options of the step that a playout is about to take.
  struct Options {
    std::uint32_t first{0};  // in the trace
    std::uint16_t count{0};
    bool noted{false};  // in the trace
  };

  struct Level {
    std::vector<float> policy;  // of each slot, e to the power of its weight
    RolloutTrace best;
    int iterations{0};
  };

  /// A new policy. The first searches are short, and each spares another colour, the most frequent
  /// ones; then they grow longer, and spare the colour that went best, or now and then the next.
  void restart() {
    const std::size_t first = std::min(kColoursTried, colours_.size());
    if (restarts_ >= first) {
      std::ranges::sort(std::span{colours_}.first(first), [](const auto& a, const auto& b) {
        return a.score != b.score ? a.score > b.score : a.colour < b.colour;
      });
    }
    const std::size_t later = restarts_ - std::min(restarts_, first);
    spared_ = restarts_ < first ? restarts_ : std::min(later % 3 / 2, first - 1);
    iterations_ = settings_.iterations + settings_.growth * static_cast<int>((later + 2) / 3);
    iterations_ = restarts_ < first ? settings_.iterations : iterations_;
    tabu_ = colours_[spared_].colour;
    ++restarts_;
    for (Level& level : levels_) {
      std::ranges::fill(level.policy, 1.0F);
      level.best.clear();
      level.iterations = 0;
    }
  }

  /// One playout by the policy of the lowest level. False when the nodes do not suffice.
  bool play_out(Rng& rng, NodeCounter& nodes) {
    Level& lowest = levels_.front();
    GroupList<AnyBoard> game{*root_};
    trace_.clear();
    while (!game.groups().empty()) {
      if (!nodes.spend()) {
        return false;
      }
      game.play(choose(game.groups(), lowest.policy, rng));
    }
    trace_.score = score(game.state());
    remember_best();
    colours_[spared_].score = std::max(colours_[spared_].score, trace_.score);
    if (trace_.score >= lowest.best.score) {
      lowest.best = trace_;
    }
    return true;
  }

  /// Keeps the trace, which has come to its end, where it is the best.
  void remember_best() {
    if (!trace_.steps().empty()) {
      std::int32_t& after = best_after_[trace_.steps().front().place];
      after = std::max(after, trace_.score);
    }
    if (trace_.score > best_.score) {
      best_ = trace_;
    }
  }

  using Groups = std::span<const KnownGroup<AnyBoard>>;

  /// Draws a group by the policy, and notes the step.
  std::size_t choose(Groups groups, std::span<const float> policy, Rng& rng) {
    const bool spared =
        std::ranges::any_of(groups, [this](const auto& group) { return group.colour != tabu_; });
    list_options(groups, policy, spared ? tabu_ : kNoColour);
    const float drawn =
        sums_[options_.count - 1] * (static_cast<float>(rng.word() >> 8U) * 0x1p-24F);
    std::uint16_t chosen = 0;
    while (chosen + 1 < options_.count && sums_[chosen] <= drawn) {
      ++chosen;
    }
    note_step(groups, chosen);
    return indices_[chosen];
  }

  /// Lists the groups that are not of the colour `spared`, with the sums of their weights.
  void list_options(Groups groups, std::span<const float> policy, std::uint16_t spared) {
    const bool room = trace_.has_room(groups.size());
    options_ = {.first = static_cast<std::uint32_t>(trace_.option_count()), .noted = room};
    float sum = 0;
    for (std::size_t index = 0; index < groups.size(); ++index) {
      const auto& group = groups[index];
      if (group.colour == spared) {
        continue;
      }
      const auto slot = static_cast<std::uint16_t>(group.hash & (slots_ - 1));
      const auto bias =
          static_cast<std::uint16_t>(std::min<std::size_t>(group.size - 2U, kBiases - 1));
      sum += policy[slot] * biases_[bias];
      sums_[options_.count] = sum;
      indices_[options_.count++] = static_cast<std::uint16_t>(index);
      if (room) {
        trace_.add_option({.slot = slot, .bias = bias});
      }
    }
  }

  /// Adds a step with the options that were listed last, and the one among them that is played.
  void note_step(Groups groups, std::uint16_t chosen) {
    trace_.add_step({.first = options_.first,
                     .count = options_.noted ? options_.count : std::uint16_t{0},
                     .chosen = chosen,
                     .place = static_cast<std::uint16_t>(groups[indices_[chosen]].cells.first())});
  }

  /// After a playout: every level that has done its iterations hands its best sequence up.
  void learn() {
    if (++playouts_ % static_cast<std::uint64_t>(settings_.playouts) != 0) {
      return;
    }
    adapt(levels_.front());
    for (std::size_t index = 0; ++levels_[index].iterations >= iterations_; ++index) {
      Level& done = levels_[index];
      done.iterations = 0;
      if (index + 1 == kLevels) {
        restart();
        return;
      }
      Level& above = levels_[index + 1];
      if (done.best.score >= above.best.score) {
        above.best = done.best;
      }
      adapt(above);
      for (std::size_t below = 0; below <= index; ++below) {
        levels_[below].policy = above.policy;
        levels_[below].best.clear();
      }
    }
  }

  /// Moves the policy towards the best sequence of its level.
  void adapt(Level& level) {
    for (const RolloutTrace::Step& step : level.best.steps()) {
      const auto options = level.best.options(step);
      if (options.size() < 2) {
        continue;
      }
      float sum = 0;
      for (const RolloutTrace::Option option : options) {
        sum += level.policy[option.slot] * biases_[option.bias];
      }
      const float share = settings_.rate / sum;
      for (const RolloutTrace::Option option : options) {
        float& weight = level.policy[option.slot];
        weight = std::max(weight * fall(share * weight * biases_[option.bias]), kWeightMin);
      }
      float& chosen = level.policy[options[step.chosen].slot];
      chosen = std::min(chosen * rise_, kWeightMax);
    }
  }

  /// e to the power of -x, near enough for x from 0 to 1.
  static float fall(float x) { return 1 - x * (1 - x * (0.5F - x * (1.0F / 6 - x * (1.0F / 24)))); }

  static constexpr float kWeightMin = 1e-25F;
  static constexpr float kWeightMax = 1e25F;

  NrpaSettings settings_;
  std::size_t slots_;
  std::vector<Level> levels_;
  std::array<float, kBiases> biases_{};
  float rise_{std::exp(settings_.rate)};
  RolloutTrace trace_{kStepsMax, kOptionsMax};
  Options options_;
  std::array<float, GroupList<AnyBoard>::kGroupsMax> sums_{};  // of the weights of options
  std::array<std::uint16_t, GroupList<AnyBoard>::kGroupsMax> indices_{};  // of their groups
  RolloutTrace best_;
  std::array<std::int32_t, AnyBoard::kPlaces> best_after_{};
  std::optional<GroupList<AnyBoard>> root_;
  std::uint16_t tabu_{0};
  int iterations_{0};
  std::vector<SparedColour> colours_;  // of the root
  std::size_t spared_{0};              // of them
  std::size_t restarts_{0};
  std::uint64_t playouts_{0};
};

}  // namespace tesela::samegame
