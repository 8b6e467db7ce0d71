// A strategy that asks a remote bot for its moves.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "clients/cli/simulate/run_tournament.h"
#include "engine/core/rng.h"
#include "engine/strategy/registry.h"
#include "engine/strategy/strategy.h"
#include "server/games/bot_request.h"
#include "server/games/match_of.h"

namespace tesela::cli {

/// A bot without a limit of time has so long for a move.
inline constexpr std::chrono::microseconds kRemoteTimeMax{std::chrono::seconds{10}};

/// The remote bots that play here. Any thread.
class RemoteBots {
 public:
  RemoteBots() = default;
  RemoteBots(const RemoteBots&) = delete;
  RemoteBots& operator=(const RemoteBots&) = delete;
  virtual ~RemoteBots() = default;

  /// Asks for a move, and waits for it: the encoded message of a legal move, or none when none came
  /// in time. `config` is an encoded google.protobuf.Any.
  [[nodiscard]] virtual std::optional<std::string> ask(const std::string& bot,
                                                       const std::string& config,
                                                       games::BotRequest request,
                                                       std::chrono::microseconds time) = 0;
};

/// Where no move comes, the game's substitute moves, as on a server: `safe`, or `random`.
template <games::GameCodec Codec>
class RemoteStrategy final : public Strategy<typename Codec::Game> {
 public:
  using G = typename Codec::Game;

  /// `bots` and `missed` outlive it.
  RemoteStrategy(RemoteBots& bots, MissedMoves& missed, std::string name, std::string config)
      : bots_{bots}, missed_{missed}, name_{std::move(name)}, config_{std::move(config)} {}

  [[nodiscard]] Choice<G> choose(const typename G::State& view, Seat seat, Rng& rng,
                                 const Budget& budget) override {
    auto request = games::MatchOf<Codec>{view, Rng::Place{}}.bot_request(seat);
    const std::chrono::microseconds time =
        budget.time == kNoTimeLimit ? kRemoteTimeMax : budget.time;
    if (const auto answer = bots_.ask(name_, config_, std::move(request), time)) {
      typename Codec::MoveMessage message;
      message.ParseFromString(*answer);
      return {.move = Codec::read(message).value()};
    }
    ++missed_;
    return substitute().choose(view, seat, rng, budget);
  }

 private:
  Strategy<G>& substitute() {
    if (!substitute_) {
      auto safe = make_strategy<G>("safe");
      substitute_ = safe ? std::move(*safe) : make_strategy<G>("random").value();
    }
    return *substitute_;
  }

  RemoteBots& bots_;
  MissedMoves& missed_;
  const std::string name_;
  const std::string config_;
  std::unique_ptr<Strategy<G>> substitute_;
};

}  // namespace tesela::cli
