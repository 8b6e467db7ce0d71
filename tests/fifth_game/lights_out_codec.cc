#include "tests/fifth_game/lights_out_codec.h"

#include <string>
#include <vector>

#include "server/games/codec_parts.h"
#include "server/games/entry.h"

namespace tesela::games {
namespace {

// As every client draws it: yellow.
constexpr std::uint32_t kLit = 2;

bool is_lit(lights_out::Lights lights, int cell) {
  return ((lights >> static_cast<unsigned>(cell)) & 1U) != 0;
}

std::vector<bool> lit(std::uint8_t size, lights_out::Lights lights) {
  std::vector<bool> cells;
  for (int cell = 0; cell < size * size; ++cell) cells.push_back(is_lit(lights, cell));
  return cells;
}

void write_kinds(std::uint8_t size, lights_out::Lights lights,
                 google::protobuf::RepeatedField<std::uint32_t>& out) {
  for (int cell = 0; cell < size * size; ++cell) out.Add(is_lit(lights, cell) ? kLit : 0);
}

std::string sentence_of(const lights_out::State& state) {
  const int on = lights_out::lights_on(state);
  if (on == 0) return "All lights are off.";
  const std::string lit = on == 1 ? "1 light is on" : std::to_string(on) + " lights are on";
  return lit + (state.moves_left == 0 ? ", and no move is left." : ".");
}

}  // namespace

Expected<lights_out::Config> LightsOutCodec::read(const ConfigMessage& in) {
  lights_out::Config config;
  if (auto read = read_byte("size", in.has_size(), in.size(), config.size); !read) {
    return std::unexpected(read.error());
  }
  if (auto read = read_byte("presses", in.has_presses(), in.presses(), config.presses); !read) {
    return std::unexpected(read.error());
  }
  if (auto read = read_byte("moves_max", in.has_moves_max(), in.moves_max(), config.moves_max);
      !read) {
    return std::unexpected(read.error());
  }
  if (auto valid = lights_out::validate(config); !valid) return std::unexpected(valid.error());
  return config;
}

void LightsOutCodec::write(const lights_out::Config& config, ConfigMessage& out) {
  out.set_size(config.size);
  out.set_presses(config.presses);
  out.set_moves_max(config.moves_max);
}

Expected<lights_out::Move> LightsOutCodec::read(const MoveMessage& in) {
  lights_out::Move move;
  if (!in.has_cell()) return refuse(ErrorCode::kInvalidArgument, "The move names no cell.");
  if (auto read = read_byte("cell", true, in.cell(), move.cell); !read) {
    return std::unexpected(read.error());
  }
  return move;
}

void LightsOutCodec::write(const lights_out::Move& move, base::WireWriter& out) {
  out.present_number(MoveMessage::kCellFieldNumber, move.cell);
}

void LightsOutCodec::write(const lights_out::State& state, base::WireWriter& out) {
  out.number(ViewMessage::kPointsFieldNumber,
             static_cast<std::uint32_t>(lights_out::points(state)));
  out.number(ViewMessage::kMovesLeftFieldNumber, state.moves_left);
  out.packed(ViewMessage::kLightsFieldNumber, lit(state.size, state.lights));
  out.number(ViewMessage::kSizeFieldNumber, state.size);
}

void LightsOutCodec::write(const lights_out::Stage& stage, const lights_out::State& /*after*/,
                           base::WireWriter& out) {
  using Message = fifth_game::v1::LightsOutStage;
  std::vector<int> changed;
  for (int cell = 0; cell < stage.size * stage.size; ++cell) {
    if (is_lit(stage.changed, cell)) changed.push_back(cell);
  }
  out.packed(Message::kChangedFieldNumber, changed);
  out.packed(Message::kLightsFieldNumber, lit(stage.size, stage.lights));
}

Expected<lights_out::State> LightsOutCodec::read_canonical(const lights_out::Config& config,
                                                           base::ByteReader& in) {
  lights_out::State state{.size = in.byte()};
  state.moves_left = in.byte();
  state.lights = in.u64();
  const bool on_the_board = state.cells() >= 64 || state.lights >> state.cells() == 0;
  if (state.size != config.size || state.moves_left > config.moves_max || !on_the_board) {
    return not_a_position();
  }
  return state;
}

void LightsOutCodec::write(const lights_out::State& state, game::v1::GridView& out) {
  out.set_rows(state.size);
  out.set_columns(state.size);
  write_kinds(state.size, state.lights, *out.mutable_cells());
  for (const char* name : {"off", "", "on"}) out.add_names(name);
  const auto add_fact = [&out](const char* name, std::int64_t value) {
    auto& fact = *out.add_facts();
    fact.set_name(name);
    fact.set_value(std::to_string(value));
  };
  add_fact("Points", lights_out::points(state));
  add_fact("Lights on", lights_out::lights_on(state));
  add_fact("Moves left", state.moves_left);
  out.set_text(sentence_of(state));
}

void LightsOutCodec::write(const lights_out::Stage& stage, game::v1::GridStage& out) {
  write_kinds(stage.size, stage.lights, *out.mutable_cells());
}

template GameEntry make_entry<LightsOutCodec>();

}  // namespace tesela::games
