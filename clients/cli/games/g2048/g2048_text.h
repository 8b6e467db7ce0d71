// 2048 as text and JSON: positions, moves, questions about the rules, and options. Values are tile
// values; 0 is empty.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "clients/cli/games/games.h"
#include "clients/cli/simulate/game_text.h"
#include "clients/cli/simulate/summary.h"
#include "engine/g2048/g2048.h"
#include "tesela/game/v1/g2048.pb.h"

namespace tesela::cli {

struct G2048Text {
  using Game = g2048::Game;

  static constexpr std::string_view kTitle = "2048";

  class Statistics : public TileStatistics {
   public:
    Statistics() : TileStatistics("objective") {}
    void add(const g2048::State& end, std::uint64_t moves);
  };

  static std::string draw(const g2048::State& s);
  static std::string say(const g2048::State& before, const g2048::Move& move);
  static std::string tell(std::span<const g2048::Stage> stages, const g2048::State& after);
  static std::string standing(const g2048::State& s);
  static std::string outcome(const g2048::State& s);
  static std::int64_t points(const g2048::State& s, Seat seat);
  static Json start_json(const g2048::State& s);
  static Json move_json(const g2048::State& before, const g2048::Move& move,
                        std::span<const g2048::Stage> stages, const g2048::State& after);
  static Json choice_json(const g2048::State& before, const g2048::Move& move);
  static Json end_json(const g2048::State& s);
  static Expected<g2048::State> read_position(const Json& json);
  static void add_options(CLI::App& app, game::v1::Game2048Config& config);
};

extern const TerminalGame kTerminalG2048;

}  // namespace tesela::cli
