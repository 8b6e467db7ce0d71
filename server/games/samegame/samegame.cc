#include "server/games/samegame/samegame.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <string>
#include <string_view>

#include "server/base/wire_reader.h"
#include "server/games/codec_parts.h"
#include "server/games/entry.h"

namespace tesela::games {
namespace {

namespace pb = tesela::game::v1;

/// Reads an optional number of the configuration that fits in a byte.
Expected<samegame::Penalty> penalty_of(pb::SameGamePenalty penalty) {
  switch (penalty) {
    case pb::SAME_GAME_PENALTY_UNSPECIFIED:
    case pb::SAME_GAME_PENALTY_PER_COLOUR:
      return samegame::Penalty::kPerColour;
    case pb::SAME_GAME_PENALTY_REMAINING:
      return samegame::Penalty::kRemaining;
    case pb::SAME_GAME_PENALTY_NONE:
      return samegame::Penalty::kNone;
    default:
      return refuse(ErrorCode::kInvalidArgument,
                    "The penalty must be one of SAME_GAME_PENALTY_PER_COLOUR, "
                    "SAME_GAME_PENALTY_REMAINING and SAME_GAME_PENALTY_NONE.");
  }
}

pb::SameGamePenalty message_of(samegame::Penalty penalty) {
  switch (penalty) {
    case samegame::Penalty::kPerColour:
      return pb::SAME_GAME_PENALTY_PER_COLOUR;
    case samegame::Penalty::kRemaining:
      return pb::SAME_GAME_PENALTY_REMAINING;
    case samegame::Penalty::kNone:
      break;
  }
  return pb::SAME_GAME_PENALTY_NONE;
}

pb::SameGameStageKind message_of(samegame::StageKind kind) {
  switch (kind) {
    case samegame::StageKind::kRemove:
      return pb::SAME_GAME_STAGE_KIND_REMOVE;
    case samegame::StageKind::kFall:
      return pb::SAME_GAME_STAGE_KIND_FALL;
    case samegame::StageKind::kCollapse:
      break;
  }
  return pb::SAME_GAME_STAGE_KIND_COLLAPSE;
}

pb::SameGameOutcome message_of(samegame::Outcome outcome) {
  switch (outcome) {
    case samegame::Outcome::kInPlay:
      return pb::SAME_GAME_OUTCOME_IN_PLAY;
    case samegame::Outcome::kCleared:
      return pb::SAME_GAME_OUTCOME_CLEARED;
    case samegame::Outcome::kStuck:
      break;
  }
  return pb::SAME_GAME_OUTCOME_STUCK;
}

Expected<void> read_setting(const pb::SameGameConfig& in, samegame::Setting& setting) {
  auto read = read_byte("rows", in.has_rows(), in.rows(), setting.rows);
  if (read) read = read_byte("columns", in.has_columns(), in.columns(), setting.columns);
  if (read) read = read_byte("colours", in.has_colours(), in.colours(), setting.colours);
  if (!read) return read;
  const auto penalty = penalty_of(in.penalty());
  if (!penalty) return std::unexpected(penalty.error());
  setting.penalty = *penalty;
  return {};
}

Expected<void> read_cells(const pb::SameGameConfig& in, std::vector<samegame::Colour>& cells) {
  constexpr int kCellsMax = samegame::kSideMax * samegame::kSideMax;
  if (in.cells_size() > kCellsMax) {
    return refuse(ErrorCode::kInvalidArgument, "A board has at most " + std::to_string(kCellsMax) +
                                                   " cells, not " +
                                                   std::to_string(in.cells_size()) + ".");
  }
  cells.resize(static_cast<std::size_t>(in.cells_size()));
  auto cell = cells.begin();
  for (const std::uint32_t colour : in.cells()) {
    auto read = read_byte("The colour of a cell", true, colour, *cell++);
    if (!read) return read;
  }
  return {};
}

}  // namespace

Expected<samegame::Config> SameGameCodec::read(const ConfigMessage& in) {
  samegame::Config config;
  auto read = read_setting(in, config.setting);
  if (read) read = read_cells(in, config.cells);
  if (read) read = samegame::validate(config);
  if (!read) return std::unexpected(read.error());
  return config;
}

void SameGameCodec::write(const samegame::Config& config, ConfigMessage& out) {
  out.set_rows(config.setting.rows);
  out.set_columns(config.setting.columns);
  out.set_colours(config.setting.colours);
  out.set_penalty(message_of(config.setting.penalty));
  out.mutable_cells()->Add(config.cells.begin(), config.cells.end());
}

Expected<samegame::Move> SameGameCodec::read(const MoveMessage& in) {
  if (!in.has_cell()) {
    return refuse(ErrorCode::kInvalidArgument, "The move must name a cell of the group to remove.");
  }
  if (in.cell() > std::numeric_limits<std::uint16_t>::max()) {
    return refuse(ErrorCode::kInvalidArgument,
                  "No board has a cell " + std::to_string(in.cell()) + ".");
  }
  return samegame::Move{static_cast<std::uint16_t>(in.cell())};
}

std::optional<samegame::Move> SameGameCodec::read_usual(std::string_view bytes) {
  base::WireReader in(bytes);
  const auto cell = in.number(MoveMessage::kCellFieldNumber);
  if (!in.done() || !cell || *cell > std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
  return samegame::Move{static_cast<std::uint16_t>(*cell)};
}

void SameGameCodec::write(const samegame::Move& move, base::WireWriter& out) {
  out.present_number(MoveMessage::kCellFieldNumber, move.cell);
}

void SameGameCodec::write(const samegame::State& state, base::WireWriter& out) {
  using Message = pb::SameGameView;
  using Group = pb::SameGameGroup;
  const auto groups = samegame::groups(state);
  for (const auto& group : std::views::reverse(groups)) {
    const auto end = out.mark();
    out.number(Group::kPointsFieldNumber, static_cast<std::uint32_t>(group.points));
    out.packed(Group::kCellsFieldNumber, group.cells);
    out.message(Message::kGroupsFieldNumber, end);
  }
  out.number(Message::kOutcomeFieldNumber, message_of(samegame::outcome(state)));
  out.signed_number(Message::kFinalBonusFieldNumber, samegame::final_bonus(state));
  out.signed_number(Message::kScoreFieldNumber, samegame::score(state));
  out.packed(Message::kCellsFieldNumber, samegame::colours_of(state.setting, state.board));
  out.number(Message::kPenaltyFieldNumber, message_of(state.setting.penalty));
  out.number(Message::kColoursFieldNumber, state.setting.colours);
  out.number(Message::kColumnsFieldNumber, state.setting.columns);
  out.number(Message::kRowsFieldNumber, state.setting.rows);
}

void SameGameCodec::write(const samegame::Stage& stage, const samegame::State& /*after*/,
                          base::WireWriter& out) {
  using Message = pb::SameGameStage;
  out.number(Message::kPointsFieldNumber, static_cast<std::uint32_t>(stage.points));
  out.packed(Message::kRemovedFieldNumber, stage.removed);
  write_motions(Message::kMotionsFieldNumber, stage.motions, out);
  out.packed(Message::kCellsFieldNumber, stage.cells);
  out.number(Message::kKindFieldNumber, message_of(stage.kind));
}

void SameGameCodec::explain(const samegame::State& state, const samegame::Move& move,
                            base::WireWriter& out) {
  for (const auto& group : samegame::groups(state)) {
    if (std::ranges::find(group.cells, move.cell) == group.cells.end()) continue;
    out.number(GainMessage::kPointsFieldNumber, static_cast<std::uint32_t>(group.points));
    out.number(GainMessage::kTilesFieldNumber, group.cells.size());
  }
}

template <class Sink>
void SameGameCodec::canonical(const samegame::State& state, Sink& out) {
  out.byte(state.setting.rows);
  out.byte(state.setting.columns);
  for (const auto colour : samegame::colours_of(state.setting, state.board)) out.byte(colour);
  out.u64(static_cast<std::uint64_t>(state.points));
}

Expected<samegame::State> SameGameCodec::read_canonical(const samegame::Config& config,
                                                        base::ByteReader& in) {
  const samegame::Setting& setting = config.setting;
  if (in.byte() != setting.rows || in.byte() != setting.columns) return not_a_position();
  std::vector<samegame::Colour> cells(setting.cell_count());
  for (auto& cell : cells) cell = in.byte();
  const std::uint64_t points = in.u64();
  // No game scores more than the square of its cells.
  const auto points_max = std::uint64_t{setting.cell_count()} * setting.cell_count();
  const auto strange = [&](samegame::Colour colour) { return colour > setting.colours; };
  if (points > points_max || std::ranges::any_of(cells, strange) ||
      !samegame::validate_settled(setting, cells)) {
    return not_a_position();
  }
  return samegame::State{.setting = setting,
                         .points = static_cast<std::int32_t>(points),
                         .board = samegame::board_of<samegame::LargeBoard>(setting, cells)};
}

template void SameGameCodec::canonical(samegame::State const&, Fnv&);
template void SameGameCodec::canonical(samegame::State const&, base::ByteWriter&);
template GameEntry make_entry<SameGameCodec>();

}  // namespace tesela::games
