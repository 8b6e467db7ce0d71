// SameGame from bytes: any configuration, any board, any moves. What the random simulation checks
// must hold here too, and small boards must play as large ones.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/samegame/samegame.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/refusal.h"

namespace tesela::samegame {
namespace {

using fuzz::check_refusal;
using fuzz::Input;
using fuzz::require;

/// A byte below plays a legal move, any other tries one of its own making.
constexpr std::uint8_t kLegalMoves = 192;

/// Any values at all, also such as `start` refuses. A given board comes column by column, each with
/// its height, so that many stand.
Config read_config(Input& input) {
  Config config;
  Setting& setting = config.setting;
  setting.rows = input.next();
  setting.columns = input.next();
  setting.colours = input.next();
  setting.penalty = static_cast<Penalty>(input.next() % 4);
  const std::uint8_t given = input.next();
  if (given % 2 == 0) return config;
  // With a bit more the board has another size than the setting says.
  config.cells.resize(std::size_t{setting.cell_count()} + given / 2 % 2);
  for (std::size_t column = 0; column < setting.columns; ++column) {
    const std::size_t height = std::min(input.next(), setting.rows);
    for (std::size_t row = setting.rows - height; row < setting.rows; ++row) {
      config.cells[row * setting.columns + column] = input.next() % 16;
    }
  }
  return config;
}

/// legal_moves names exactly the cells of the groups.
template <class AnyBoard>
std::vector<std::uint16_t> check_legal(const StateOn<AnyBoard>& s) {
  using Game = GameOn<AnyBoard>;
  std::vector<std::uint16_t> legal;
  Game::legal_moves(s, kOnlySeat, [&](Move move) { legal.push_back(move.cell); });
  std::vector<std::uint16_t> grouped;
  for (const Group& group : groups(s)) {
    require(group.cells.size() >= 2 && std::ranges::is_sorted(group.cells));
    grouped.insert(grouped.end(), group.cells.begin(), group.cells.end());
  }
  require(std::ranges::is_permutation(legal, grouped));
  require(Game::turn(s).has_value() == !legal.empty());
  require(Game::result(s).has_value() == legal.empty());
  return legal;
}

/// The grid before a stage becomes the one after it by what the stage tells.
void check_stages(const std::vector<Stage>& stages, const State& before, const State& after) {
  std::vector<Colour> grid = colours_of(before.setting, before.board);
  for (const Stage& stage : stages) {
    std::vector<Colour> next = grid;
    for (const std::uint16_t cell : stage.removed) next.at(cell) = kEmpty;
    for (const Motion& motion : stage.motions) next.at(motion.from) = kEmpty;
    for (const Motion& motion : stage.motions) next.at(motion.to) = grid.at(motion.from);
    require(next == stage.cells);
    grid = stage.cells;
  }
  require(grid == colours_of(after.setting, after.board));
  require(before.points + stages.front().points == after.points);
  require(validate_settled(after.setting, grid).has_value());
}

State play(const State& s, Move move, Rng& rng) {
  const Rng before = rng;
  const State untold = Game::apply(s, kOnlySeat, move, rng, NoStages{}).value();
  std::vector<Stage> stages;
  const State after = Game::apply(s, kOnlySeat, move, rng, CollectStages{stages}).value();
  require(after == untold && rng == before);
  check_stages(stages, s, after);
  return after;
}

/// Any move: accepted if it is legal, and refused without a trace if it is not.
void check_any(const State& s, Seat seat, Move move, Rng rng,
               const std::vector<std::uint16_t>& legal) {
  if (seat == kOnlySeat && std::ranges::find(legal, move.cell) != legal.end()) {
    play(s, move, rng);
  } else {
    check_refusal<Game>(s, seat, move, rng);
  }
}

/// The same game on a small board, if it has room for it.
std::optional<SmallState> start_small(const Config& config, Rng rng) {
  const Expected<SmallState> s = SmallGame::start(config, rng);
  const Setting& setting = config.setting;
  require(s.has_value() == SmallBoard::has_room(setting.rows, setting.columns, setting.colours));
  return s ? std::optional{*s} : std::nullopt;
}

void play_small(SmallState& s, Move move, const State& large, Rng rng) {
  s = SmallGame::apply(s, kOnlySeat, move, rng, NoStages{}).value();
  require(colours_of(s.setting, s.board) == colours_of(large.setting, large.board));
  require(score(s) == score(large));
  check_legal(s);
}

void play_game(Input& input) {
  const Config config = read_config(input);
  Seed seed{};
  for (std::uint8_t& byte : seed) byte = input.next();
  Rng rng{seed};
  const Rng before = rng;
  const Expected<State> start = Game::start(config, rng);
  require(start.has_value() == validate(config).has_value());
  if (!start) {
    require(rng == before && !start.error().message.empty());
    return;
  }
  std::optional<SmallState> small = start_small(config, before);
  State s = *start;
  std::vector<std::uint16_t> legal = check_legal(s);
  while (!input.empty()) {
    const std::uint8_t byte = input.next();
    if (byte < kLegalMoves && !legal.empty()) {
      const Move move{legal[byte % legal.size()]};
      s = play(s, move, rng);
      if (small) play_small(*small, move, s, rng);
      legal = check_legal(s);
    } else {
      const Move move{static_cast<std::uint16_t>(byte % 4 << 8 | input.next())};
      const Seat seat{static_cast<std::uint8_t>(byte / 4 % 2)};
      check_any(s, seat, move, rng, legal);
    }
  }
}

}  // namespace
}  // namespace tesela::samegame

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tesela::fuzz::Input input{data, size};
  tesela::samegame::play_game(input);
  return 0;
}
