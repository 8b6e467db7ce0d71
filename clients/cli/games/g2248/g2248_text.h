// 2248 as text and JSON: positions, moves, questions about the rules, and options. Values are tile
// values; 0 is empty.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "clients/cli/games/games.h"
#include "clients/cli/simulate/game_text.h"
#include "clients/cli/simulate/summary.h"
#include "engine/g2248/g2248.h"
#include "tesela/game/v1/g2248.pb.h"

namespace tesela::cli {

struct G2248Text {
  using Game = g2248::Game;

  static constexpr std::string_view kTitle = "2248";

  class Statistics : public TileStatistics {
   public:
    Statistics() : TileStatistics("goal") {}
    void add(const g2248::State& end, std::uint64_t moves);
  };

  static std::string draw(const g2248::State& s);
  static std::string say(const g2248::State& before, const g2248::Move& move);
  static std::string tell(std::span<const g2248::Stage> stages, const g2248::State& after);
  static std::string standing(const g2248::State& s);
  static std::string outcome(const g2248::State& s);
  static std::int64_t points(const g2248::State& s, Seat seat);
  static Json start_json(const g2248::State& s);
  static Json move_json(const g2248::State& before, const g2248::Move& move,
                        std::span<const g2248::Stage> stages, const g2248::State& after);
  static Json choice_json(const g2248::State& before, const g2248::Move& move);
  static Json end_json(const g2248::State& s);
  static Expected<g2248::State> read_position(const Json& json);
  static void add_options(CLI::App& app, game::v1::Game2248Config& config);
};

extern const TerminalGame kTerminalG2248;

}  // namespace tesela::cli
