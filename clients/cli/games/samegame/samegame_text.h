// SameGame as text and JSON: positions, moves, questions about the rules, and options. Colours
// count from 1, 0 is empty; in questions they count from 0, and -1 is empty.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "clients/cli/games/games.h"
#include "clients/cli/simulate/game_text.h"
#include "clients/cli/simulate/summary.h"
#include "engine/samegame/samegame.h"
#include "tesela/game/v1/samegame.pb.h"

namespace tesela::cli {

struct SameGameText {
  using Game = samegame::Game;

  static constexpr std::string_view kTitle = "SameGame";

  class Statistics {
   public:
    void add(const samegame::State& end, std::uint64_t moves);
    [[nodiscard]] std::string text() const;
    [[nodiscard]] Json json() const;

   private:
    Distribution score_{"score"};
    Distribution moves_{"moves"};
    Distribution left_{"tiles left"};
    std::uint64_t cleared_{0};
    std::uint64_t games_{0};
  };

  static std::string draw(const samegame::State& s);
  static std::string say(const samegame::State& before, const samegame::Move& move);
  static std::string tell(std::span<const samegame::Stage> stages, const samegame::State& after);
  static std::string standing(const samegame::State& s);
  static std::string outcome(const samegame::State& s);
  static std::int64_t points(const samegame::State& s, Seat seat);
  static Json start_json(const samegame::State& s);
  static Json move_json(const samegame::State& before, const samegame::Move& move,
                        std::span<const samegame::Stage> stages, const samegame::State& after);
  static Json choice_json(const samegame::State& before, const samegame::Move& move);
  static Json end_json(const samegame::State& s);
  static Expected<samegame::State> read_position(const Json& json);
  static void add_options(CLI::App& app, game::v1::SameGameConfig& config);
};

extern const TerminalGame kTerminalSameGame;

}  // namespace tesela::cli
