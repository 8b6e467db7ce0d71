// Judgements of moves that could be played: their immediate gain, and what a strategy expects of
// them. For the implementation of Match.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "engine/core/ids.h"
#include "engine/strategy/advise.h"
#include "engine/strategy/registry.h"
#include "server/base/limits.h"
#include "server/base/wire_writer.h"
#include "server/games/bot_request.h"
#include "server/games/game_codec.h"

namespace tesela::games {

/// The codec of a game that can say what a legal move brings at once: `explain` writes the fields
/// of a GainMessage.
template <class C>
concept ExplainingCodec = requires(const typename C::Game::State& state,
                                   const typename C::Game::Move& move, base::WireWriter& gain) {
  typename C::GainMessage;
  C::explain(state, move, gain);
};

/// An encoded google.protobuf.Any; empty for a game that does not say, and when it is over.
template <class Codec>
std::string gain_of(const typename Codec::Game::State& state,
                    const typename Codec::Game::Move& move) {
  if constexpr (ExplainingCodec<Codec>) {
    if (!Codec::Game::turn(state)) return {};
    base::WireWriter out;
    write_any<typename Codec::GainMessage>(
        out, [&](base::WireWriter& gain) { Codec::explain(state, move, gain); });
    return out.take();
  } else {
    return {};
  }
}

/// As Match::hint_task, in `state`.
template <class Codec>
SearchTask hint_task_of(const Registered<typename Codec::Game>& registered,
                        const typename Codec::Game::State& state, Seat seat, std::size_t most) {
  return [state, seat, &registered, most](Rng& rng, const Budget& budget) {
    const auto strategy = registered.make({.tree_bytes = limits::kThinkTreeBytes});
    BotReply reply{.strategy = std::string(registered.description.name),
                   .move = {},
                   .value = {},
                   .measure = std::string(registered.description.measure)};
    const auto choices = advise(*strategy, state, seat, rng, budget, most);
    for (std::size_t place = 0; place < choices.size(); ++place) {
      JudgedMove judged{.move = encoded<Codec>(choices[place].move),
                        .value = choices[place].value,
                        .gain = gain_of<Codec>(state, choices[place].move)};
      if (place == 0) {
        reply.move = std::move(judged.move);
        reply.value = judged.value;
        reply.gain = std::move(judged.gain);
      } else {
        reply.others.push_back(std::move(judged));
      }
    }
    return reply;
  };
}

/// As Match::judge_task, in `state`.
template <class Codec>
JudgeTask judge_task_of(const Registered<typename Codec::Game>& registered,
                        const typename Codec::Game::State& state, Seat seat,
                        const typename Codec::Game::Move& played, std::size_t best,
                        std::chrono::microseconds effort) {
  using G = typename Codec::Game;
  return [state, seat, &registered, played, best, effort](Rng& rng, Budget budget) {
    const auto judged = [&state](const Choice<G>& choice) {
      return JudgedMove{.move = encoded<Codec>(choice.move),
                        .value = choice.value,
                        .gain = gain_of<Codec>(state, choice.move)};
    };
    const auto strategy = registered.make({.tree_bytes = limits::kThinkTreeBytes});
    const std::chrono::duration<double, std::milli> effort_ms{effort};
    budget.nodes = static_cast<std::uint64_t>(static_cast<double>(strategy->nodes_per_ms(state)) *
                                              effort_ms.count());
    Judgement judgement{.played = judged({.move = played}), .best = {}};
    for (const Choice<G>& choice : strategy->compare(state, seat, rng, budget, played)) {
      if (choice.move == played) judgement.played.value = choice.value;
      if (judgement.best.size() < best) judgement.best.push_back(judged(choice));
    }
    return judgement;
  };
}

}  // namespace tesela::games
