#include "server/games/g2048/g2048.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string>

#include "server/base/wire_reader.h"
#include "server/games/codec_parts.h"
#include "server/games/entry.h"

namespace tesela::games {
namespace {

namespace pb = tesela::game::v1;

Expected<g2048::Exponent> exponent_of(std::string_view what, std::uint32_t value) {
  if (value >= 2 && std::has_single_bit(value)) {
    return static_cast<g2048::Exponent>(std::countr_zero(value));
  }
  return refuse(
      ErrorCode::kInvalidArgument,
      std::string(what) + " must be a power of two from 2 on, not " + std::to_string(value) + ".");
}

Expected<g2048::Config> preset_named(const std::string& name) {
  if (name.empty() || name == "classic") return g2048::Config::classic();
  if (name == "amat") return g2048::Config::amat();
  return refuse(ErrorCode::kInvalidArgument,
                "There is no preset '" + name + "'. Known presets: classic, amat.");
}

Expected<void> read_weights(const pb::Game2048Config& in, g2048::Config& config) {
  if (in.weights().empty()) return {};
  if (in.weights_size() > static_cast<int>(g2048::kWeightsMax)) {
    return refuse(ErrorCode::kInvalidArgument,
                  "There may be at most " + std::to_string(g2048::kWeightsMax) +
                      " spawn weights, not " + std::to_string(in.weights_size()) + ".");
  }
  config.weights = {};
  config.weight_count = 0;
  for (const auto& weight : in.weights()) {
    const auto exponent = exponent_of("The value of a spawn weight", weight.value());
    if (!exponent) return std::unexpected(exponent.error());
    if (weight.per_mille() > g2048::kPerMille) {
      return refuse(ErrorCode::kInvalidArgument,
                    "A spawn weight must be at most 1000 per mille, not " +
                        std::to_string(weight.per_mille()) + ".");
    }
    config.weights[config.weight_count++] = {*exponent,
                                             static_cast<std::uint16_t>(weight.per_mille())};
  }
  return {};
}

pb::Direction message_of(g2048::Direction direction) {
  return static_cast<pb::Direction>(static_cast<int>(direction) + pb::DIRECTION_LEFT);
}

static_assert(static_cast<int>(g2048::Direction::kRight) + pb::DIRECTION_LEFT ==
              pb::DIRECTION_RIGHT);
static_assert(static_cast<int>(g2048::Direction::kUp) + pb::DIRECTION_LEFT == pb::DIRECTION_UP);
static_assert(static_cast<int>(g2048::Direction::kDown) + pb::DIRECTION_LEFT == pb::DIRECTION_DOWN);

pb::Game2048StageKind message_of(g2048::StageKind kind) {
  switch (kind) {
    case g2048::StageKind::kSlide:
      return pb::GAME2048_STAGE_KIND_SLIDE;
    case g2048::StageKind::kMerge:
      return pb::GAME2048_STAGE_KIND_MERGE;
    case g2048::StageKind::kSpawn:
      break;
  }
  return pb::GAME2048_STAGE_KIND_SPAWN;
}

pb::Game2048Outcome message_of(g2048::Outcome outcome) {
  switch (outcome) {
    case g2048::Outcome::kInPlay:
      return pb::GAME2048_OUTCOME_IN_PLAY;
    case g2048::Outcome::kObjectiveReached:
      return pb::GAME2048_OUTCOME_OBJECTIVE_REACHED;
    case g2048::Outcome::kWon:
      return pb::GAME2048_OUTCOME_WON;
    case g2048::Outcome::kLost:
      break;
  }
  return pb::GAME2048_OUTCOME_LOST;
}

std::size_t cell_count(const g2048::Config& config) {
  return std::size_t{config.size} * config.size;
}

}  // namespace

Expected<g2048::Config> G2048Codec::read(const ConfigMessage& in) {
  auto config = preset_named(in.preset());
  if (!config) return config;
  auto read = read_byte("size", in.has_size(), in.size(), config->size);
  if (!read) return std::unexpected(read.error());
  if (auto weights = read_weights(in, *config); !weights) return std::unexpected(weights.error());
  read = read_byte("start_tiles", in.has_start_tiles(), in.start_tiles(), config->start_tiles);
  if (!read) return std::unexpected(read.error());
  if (in.has_start_value()) {
    const auto exponent = exponent_of("start_value", in.start_value());
    if (!exponent) return std::unexpected(exponent.error());
    config->start_exponent = *exponent;
  }
  if (in.has_objective()) {
    const auto exponent = exponent_of("objective", in.objective());
    if (!exponent) return std::unexpected(exponent.error());
    config->objective = *exponent;
  }
  if (in.has_stop_at_objective()) config->stop_at_objective = in.stop_at_objective();
  if (auto valid = g2048::validate(*config); !valid) return std::unexpected(valid.error());
  return config;
}

void G2048Codec::write(const g2048::Config& config, ConfigMessage& out) {
  out.set_size(config.size);
  for (const auto& weight : std::span(config.weights).first(config.weight_count)) {
    auto& entry = *out.add_weights();
    entry.set_value(static_cast<std::uint32_t>(g2048::tile_value(weight.exponent)));
    entry.set_per_mille(weight.per_mille);
  }
  out.set_start_tiles(config.start_tiles);
  if (config.start_exponent != 0) {
    out.set_start_value(static_cast<std::uint32_t>(g2048::tile_value(config.start_exponent)));
  }
  out.set_objective(static_cast<std::uint32_t>(g2048::tile_value(config.objective)));
  out.set_stop_at_objective(config.stop_at_objective);
}

Expected<g2048::Move> G2048Codec::read(const MoveMessage& in) {
  if (in.direction() < pb::DIRECTION_LEFT || in.direction() > pb::DIRECTION_DOWN) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The direction must be one of DIRECTION_LEFT, DIRECTION_RIGHT, DIRECTION_UP and "
                  "DIRECTION_DOWN.");
  }
  return g2048::Move{static_cast<g2048::Direction>(in.direction() - pb::DIRECTION_LEFT)};
}

std::optional<g2048::Move> G2048Codec::read_usual(std::string_view bytes) {
  constexpr std::uint64_t kFirst = pb::DIRECTION_LEFT;
  constexpr std::uint64_t kLast = pb::DIRECTION_DOWN;
  base::WireReader in(bytes);
  const auto direction = in.number(MoveMessage::kDirectionFieldNumber);
  if (!in.done() || !direction || *direction < kFirst || *direction > kLast) return std::nullopt;
  return g2048::Move{static_cast<g2048::Direction>(*direction - kFirst)};
}

void G2048Codec::write(const g2048::Move& move, base::WireWriter& out) {
  out.number(pb::Game2048Move::kDirectionFieldNumber, message_of(move.direction));
}

void G2048Codec::write(const g2048::State& state, base::WireWriter& out) {
  using Message = pb::Game2048View;
  std::array<pb::Direction, 4> legal{};
  std::size_t count = 0;
  Game::legal_moves(state, g2048::kOnlySeat, [&](const g2048::Move& move) {
    legal.at(count++) = message_of(move.direction);
  });
  out.packed(Message::kLegalFieldNumber, std::span(legal).first(count));
  out.number(Message::kOutcomeFieldNumber, message_of(g2048::outcome(state, count > 0)));
  out.number(Message::kObjectiveReachedFieldNumber, state.objective_reached ? 1 : 0);
  out.number(Message::kObjectiveFieldNumber,
             static_cast<std::uint32_t>(g2048::tile_value(state.config.objective)));
  out.number(Message::kScoreFieldNumber, state.score);
  out.packed(Message::kCellsFieldNumber, std::span(state.cells).first(cell_count(state.config)));
  out.number(Message::kSizeFieldNumber, state.config.size);
}

void G2048Codec::write(const g2048::Stage& stage, const g2048::State& after,
                       base::WireWriter& out) {
  using Message = pb::Game2048Stage;
  out.number(Message::kPointsFieldNumber, stage.points);
  if (stage.kind == g2048::StageKind::kSpawn) {
    out.present_number(Message::kSpawnedFieldNumber, stage.spawned);
  }
  write_motions(Message::kMotionsFieldNumber, stage.motions, out);
  out.packed(Message::kCellsFieldNumber, std::span(stage.cells).first(cell_count(after.config)));
  out.number(Message::kKindFieldNumber, message_of(stage.kind));
}

void G2048Codec::explain(const g2048::State& state, const g2048::Move& move,
                         base::WireWriter& out) {
  Rng any(Seed{});
  const auto after = Game::apply(state, g2048::kOnlySeat, move, any, NoStages{});
  if (!after) return;
  const auto cells = std::span(after->cells).first(cell_count(state.config));
  out.number(GainMessage::kFreeCellsFieldNumber,
             static_cast<std::uint32_t>(std::ranges::count(cells, 0)));
  out.number(GainMessage::kPointsFieldNumber, after->score - state.score);
}

template <class Sink>
void G2048Codec::canonical(const g2048::State& state, Sink& out) {
  out.byte(state.config.size);
  for (const auto cell : std::span(state.cells).first(cell_count(state.config))) out.byte(cell);
  out.u64(state.score);
  out.byte(state.objective_reached ? 1 : 0);
}

Expected<g2048::State> G2048Codec::read_canonical(const g2048::Config& config,
                                                  base::ByteReader& in) {
  g2048::State state{.config = config};
  if (in.byte() != config.size) return not_a_position();
  for (auto& cell : std::span(state.cells).first(cell_count(config))) cell = in.byte();
  state.score = in.u64();
  const auto largest = std::ranges::max(state.cells);
  state.objective_reached = largest >= config.objective;
  if (largest > g2048::kExponentMax || in.byte() != (state.objective_reached ? 1 : 0)) {
    return not_a_position();
  }
  return state;
}

template void G2048Codec::canonical(g2048::State const&, Fnv&);
template void G2048Codec::canonical(g2048::State const&, base::ByteWriter&);
template GameEntry make_entry<G2048Codec>();

}  // namespace tesela::games
