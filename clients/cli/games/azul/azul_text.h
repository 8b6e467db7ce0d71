// Azul as text and JSON: positions, moves, questions about the rules, and options. Seats, rows and
// colours count from 0; tables have the format of tests/vectors/README.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "clients/cli/games/games.h"
#include "clients/cli/simulate/game_text.h"
#include "clients/cli/simulate/summary.h"
#include "engine/azul/azul.h"
#include "tesela/game/v1/azul.pb.h"

namespace tesela::cli {

struct AzulText {
  using Game = azul::Game;

  static constexpr std::string_view kTitle = "Azul";

  class Statistics {
   public:
    void add(const azul::State& end, std::uint64_t moves);
    [[nodiscard]] std::string text() const;
    [[nodiscard]] Json json() const;

   private:
    Distribution winner_{"winner's score"};
    Distribution score_{"all scores"};
    Distribution moves_{"moves"};
    Distribution rounds_{"rounds"};
    Shares outcomes_{"outcome"};
  };

  static std::string draw(const azul::State& s);
  static std::string say(const azul::State& before, const azul::Move& move);
  static std::string tell(std::span<const azul::Stage> stages, const azul::State& after);
  static std::string standing(const azul::State& s);
  static std::string outcome(const azul::State& s);
  static std::int64_t points(const azul::State& s, Seat seat);
  static Json start_json(const azul::State& s);
  static Json move_json(const azul::State& before, const azul::Move& move,
                        std::span<const azul::Stage> stages, const azul::State& after);
  static Json choice_json(const azul::State& before, const azul::Move& move);
  static Json end_json(const azul::State& s);
  static Expected<azul::State> read_position(const Json& json);
  static void add_options(CLI::App& app, game::v1::AzulConfig& config);
};

extern const TerminalGame kTerminalAzul;

}  // namespace tesela::cli
