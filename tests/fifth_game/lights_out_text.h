// Lights Out as text and JSON: positions, moves and options of `tesela`.
#pragma once

#include <lights_out.pb.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "clients/cli/games/games.h"
#include "clients/cli/simulate/game_text.h"
#include "clients/cli/simulate/summary.h"
#include "tests/fifth_game/lights_out.h"

namespace tesela::cli {

struct LightsOutText {
  using Game = lights_out::Game;

  static constexpr std::string_view kTitle = "Lights Out";

  class Statistics {
   public:
    void add(const lights_out::State& end, std::uint64_t moves);
    [[nodiscard]] std::string text() const;
    [[nodiscard]] Json json() const;

   private:
    Distribution points_{"points"};
    Distribution moves_{"moves"};
  };

  static std::string draw(const lights_out::State& s);
  static std::string say(const lights_out::State& before, const lights_out::Move& move);
  static std::string tell(std::span<const lights_out::Stage> stages,
                          const lights_out::State& after);
  static std::string standing(const lights_out::State& s);
  static std::string outcome(const lights_out::State& s);
  static std::int64_t points(const lights_out::State& s, Seat seat);
  static Json start_json(const lights_out::State& s);
  static Json move_json(const lights_out::State& before, const lights_out::Move& move,
                        std::span<const lights_out::Stage> stages, const lights_out::State& after);
  static Json choice_json(const lights_out::State& before, const lights_out::Move& move);
  static Json end_json(const lights_out::State& s);
  /// "board", a list of strings as lights_out::draw writes the rows, and "moves".
  static Expected<lights_out::State> read_position(const Json& json);
  static void add_options(CLI::App& app, fifth_game::v1::LightsOutConfig& config);
};

extern const TerminalGame kTerminalLightsOut;

}  // namespace tesela::cli
