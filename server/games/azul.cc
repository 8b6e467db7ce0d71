#include "server/games/azul.h"

#include <algorithm>
#include <span>
#include <string>

#include "engine/azul/gain.h"
#include "server/base/wire_reader.h"
#include "server/games/azul_state.h"
#include "server/games/entry.h"

namespace tesela::games {
namespace {

namespace pb = tesela::game::v1;
using Numbers = google::protobuf::RepeatedField<std::uint32_t>;

std::unexpected<Error> invalid(std::string message) {
  return refuse(ErrorCode::kInvalidArgument, std::move(message));
}

// Colours, pieces and the values of AzulColour have the same numbers.
static_assert(azul::piece_of(azul::Colour::kBlue) == pb::AZUL_COLOUR_BLUE);
static_assert(azul::piece_of(azul::Colour::kWhite) == pb::AZUL_COLOUR_WHITE);

pb::AzulColour message_of(azul::Colour colour) {
  return static_cast<pb::AzulColour>(azul::piece_of(colour));
}

template <class Kind>
constexpr int number(Kind kind) {
  return static_cast<int>(kind);
}
static_assert(number(azul::StageKind::kTake) + 1 == pb::AZUL_STAGE_KIND_TAKE);
static_assert(number(azul::StageKind::kTile) + 1 == pb::AZUL_STAGE_KIND_TILE);
static_assert(number(azul::StageKind::kFinal) + 1 == pb::AZUL_STAGE_KIND_FINAL);
static_assert(number(azul::BonusKind::kNone) == pb::AZUL_BONUS_KIND_UNSPECIFIED);
static_assert(number(azul::BonusKind::kColours) == pb::AZUL_BONUS_KIND_COLOURS);
static_assert(number(azul::Outcome::kInPlay) + 1 == pb::AZUL_OUTCOME_IN_PLAY);
static_assert(number(azul::Outcome::kNoTiles) + 1 == pb::AZUL_OUTCOME_NO_TILES);
static_assert(number(azul::Outcome::kNoTiling) + 1 == pb::AZUL_OUTCOME_NO_TILING);

Expected<azul::Source> read_source(const pb::AzulMove& in) {
  if (in.source_case() == pb::AzulMove::kCentre && in.centre()) return azul::kCentre;
  if (in.source_case() != pb::AzulMove::kFactory) {
    return invalid("A move names its source: a factory, or centre set to true.");
  }
  if (in.factory() >= azul::kFactoriesMax) {
    return invalid("There is no factory " + std::to_string(in.factory()) +
                   "; they count from 0, and the largest table has " +
                   std::to_string(azul::kFactoriesMax) + ".");
  }
  return static_cast<azul::Source>(in.factory());
}

Expected<azul::Target> read_target(const pb::AzulMove& in) {
  if (in.target_case() == pb::AzulMove::kFloor && in.floor()) return azul::kFloor;
  if (in.target_case() != pb::AzulMove::kLine) {
    return invalid("A move names its target: a line, or floor set to true.");
  }
  if (in.line() >= azul::kRows) {
    return invalid("There is no line " + std::to_string(in.line()) +
                   "; the pattern lines are 0 to 4.");
  }
  return static_cast<azul::Target>(in.line());
}

/// Moves and offers encode their source in the same way.
template <class Message>
void write_source(azul::Source source, Message& out) {
  if (source == azul::kCentre) {
    out.set_centre(true);
  } else {
    out.set_factory(source);
  }
}

void write_counts(const azul::Tiles& tiles, Numbers& out) {
  for (const auto colour : azul::kColours) out.Add(tiles.count(colour));
}

void write_board(const azul::Board& board, pb::AzulBoard& out) {
  out.set_score(board.score);
  for (const auto& line : board.lines) {
    out.add_line_colours(line.holds);
    out.add_line_counts(line.count);
  }
  for (unsigned cell = 0; cell < azul::kRows * azul::kRows; ++cell) {
    out.add_wall(board.wall.has(cell) ? azul::piece_of(azul::wall_colour(cell)) : azul::kNoPiece);
  }
  for (unsigned space = 0; space < board.floor.count(); ++space) {
    out.add_floor(board.floor.piece(space));
  }
}

void write_table(const azul::Table& table, pb::AzulTable& out) {
  for (const auto& factory : table.factories()) write_counts(factory, *out.mutable_factories());
  write_counts(table.centre(), *out.mutable_centre());
  if (table.marker_in_centre()) {
    out.set_marker_in_centre(true);
  } else {
    out.set_next_starter(table.next_starter.value);
  }
  for (const auto& board : std::span(table.boards).first(table.players)) {
    write_board(board, *out.add_boards());
  }
  write_counts(table.bag, *out.mutable_bag());
  write_counts(table.lid, *out.mutable_lid());
}

/// Groups the moves that take the same tiles into one offer; the last of them goes to the floor
/// line.
void write_offers(const azul::State& state, pb::AzulView& out) {
  const auto& lines = state.table.boards[state.turn.value].lines;
  pb::AzulOffer offer;
  azul::Game::legal_moves(state, state.turn, [&](const azul::Move& move) {
    const auto count = state.table.sources[move.source].count(move.colour);
    if (move.target != azul::kFloor) {
      const auto fit = std::min(count, azul::line_size(move.target) - lines[move.target].count);
      offer.add_lines(move.target);
      offer.add_overflow(count - fit);
      return;
    }
    write_source(move.source, offer);
    offer.set_colour(message_of(move.colour));
    offer.set_count(count);
    offer.set_marker(move.source == azul::kCentre && state.table.marker_in_centre());
    *out.add_offers() = std::move(offer);
    offer.Clear();
  });
}

void write_standings(const azul::State& state, const Result& result, pb::AzulView& out) {
  for (std::uint8_t seat = 0; seat < result.seats; ++seat) {
    const auto completed = state.table.boards[seat].wall.completed();
    auto& standing = *out.add_standings();
    standing.set_rank(result.standings[seat].rank);
    standing.set_rows(completed.rows);
    standing.set_columns(completed.columns);
    standing.set_colours(completed.colours);
  }
}

void write_counted(const azul::Stage& stage, pb::AzulStage& out) {
  const unsigned row = stage.tiled / azul::kRows;
  const unsigned column = stage.tiled % azul::kRows;
  for (unsigned place = 0; place < azul::kRows; ++place) {
    if ((stage.counted.across >> place & 1U) != 0) {
      out.add_counted_row(row * azul::kRows + place);
    }
    if ((stage.counted.down >> place & 1U) != 0) {
      out.add_counted_column(place * azul::kRows + column);
    }
  }
}

void write_stage(const azul::Stage& stage, pb::AzulStage& out) {
  out.set_kind(static_cast<pb::AzulStageKind>(number(stage.kind) + 1));
  out.set_seat(stage.seat.value);
  write_table(stage.table, *out.mutable_table());
  for (const auto& motion : stage.motions) {
    auto& way = *out.add_motions();
    way.set_piece(motion.piece);
    way.set_count(motion.count);
    way.set_from(motion.from);
    way.set_to(motion.to);
  }
  out.set_in_hand(stage.in_hand);
  out.set_points(stage.points);
  if (stage.kind == azul::StageKind::kTile) {
    out.set_tiled(stage.tiled);
    write_counted(stage, out);
  }
  out.set_bonus(static_cast<pb::AzulBonusKind>(stage.bonus));
}

template <class Sink>
void canonical_tiles(const azul::Tiles& tiles, Sink& out) {
  for (const auto colour : azul::kColours) out.byte(static_cast<std::uint8_t>(tiles.count(colour)));
}

template <class Sink>
void canonical_board(const azul::Board& board, Sink& out) {
  out.u64(board.score);
  for (const auto& line : board.lines) {
    out.byte(line.holds);
    out.byte(line.count);
  }
  out.u64(board.wall.tiled());
  for (unsigned space = 0; space < azul::FloorLine::kSpaces; ++space) {
    out.byte(board.floor.piece(space));
  }
}

}  // namespace

Expected<azul::Config> AzulCodec::read(const ConfigMessage& in) {
  if (in.has_untiled_rounds_max() && in.untiled_rounds_max() != azul::kUntiledRoundsMax) {
    return invalid("untiled_rounds_max must be " + std::to_string(azul::kUntiledRoundsMax) +
                   " or left out, not " + std::to_string(in.untiled_rounds_max()) + ".");
  }
  ConfigMessage complete = in;
  complete.set_untiled_rounds_max(azul::kUntiledRoundsMax);
  return read_written(complete);
}

Expected<azul::Config> AzulCodec::read_written(const ConfigMessage& in) {
  if (in.untiled_rounds_max() > 255) {
    return invalid(
        "untiled_rounds_max is far too large: " + std::to_string(in.untiled_rounds_max()) + ".");
  }
  azul::Config config{.untiled_rounds_max = static_cast<std::uint8_t>(in.untiled_rounds_max())};
  if (in.has_players()) {
    if (in.players() > 255) {
      return invalid("players is far too large: " + std::to_string(in.players()) + ".");
    }
    config.players = static_cast<std::uint8_t>(in.players());
  }
  if (auto valid = azul::validate(config); !valid) return std::unexpected(valid.error());
  return config;
}

void AzulCodec::write(const azul::Config& config, ConfigMessage& out) {
  out.set_players(config.players);
  // Not written for games from before the rule: their commitment covers the bytes without it.
  if (config.untiled_rounds_max != 0) out.set_untiled_rounds_max(config.untiled_rounds_max);
}

Expected<azul::Move> AzulCodec::read(const MoveMessage& in) {
  const auto source = read_source(in);
  if (!source) return std::unexpected(source.error());
  if (in.colour() < pb::AZUL_COLOUR_BLUE || in.colour() > pb::AZUL_COLOUR_WHITE) {
    return invalid(
        "The colour must be one of AZUL_COLOUR_BLUE, AZUL_COLOUR_YELLOW, AZUL_COLOUR_RED, "
        "AZUL_COLOUR_BLACK and AZUL_COLOUR_WHITE.");
  }
  const auto target = read_target(in);
  if (!target) return std::unexpected(target.error());
  return azul::Move{.source = *source,
                    .colour = azul::colour_of(static_cast<azul::Piece>(in.colour())),
                    .target = *target};
}

std::optional<azul::Move> AzulCodec::read_usual(std::string_view bytes) {
  constexpr std::uint64_t kFirst = pb::AZUL_COLOUR_BLUE;
  constexpr std::uint64_t kLast = pb::AZUL_COLOUR_WHITE;
  base::WireReader in(bytes);
  const auto factory = in.number(MoveMessage::kFactoryFieldNumber);
  const auto centre = in.number(MoveMessage::kCentreFieldNumber);
  const auto colour = in.number(MoveMessage::kColourFieldNumber);
  const auto to_line = in.number(MoveMessage::kLineFieldNumber);
  const auto to_floor = in.number(MoveMessage::kFloorFieldNumber);
  if (!in.done() || factory.has_value() == centre.has_value() || !colour ||
      to_line.has_value() == to_floor.has_value()) {
    return std::nullopt;
  }
  if (*colour < kFirst || *colour > kLast || centre.value_or(1) != 1 || to_floor.value_or(1) != 1 ||
      factory.value_or(0) >= azul::kFactoriesMax || to_line.value_or(0) >= azul::kRows) {
    return std::nullopt;
  }
  return azul::Move{.source = factory ? static_cast<azul::Source>(*factory) : azul::kCentre,
                    .colour = azul::colour_of(static_cast<azul::Piece>(*colour)),
                    .target = to_line ? static_cast<azul::Target>(*to_line) : azul::kFloor};
}

void AzulCodec::write(const azul::Move& move, MoveMessage& out) {
  write_source(move.source, out);
  out.set_colour(message_of(move.colour));
  if (move.target == azul::kFloor) {
    out.set_floor(true);
  } else {
    out.set_line(move.target);
  }
}

void AzulCodec::write(const azul::State& state, ViewMessage& out) {
  write_table(state.table, *out.mutable_table());
  out.set_round(state.round);
  out.set_starter(state.starter.value);
  if (const auto turn = Game::turn(state)) out.set_turn(turn->value);
  out.set_outcome(static_cast<pb::AzulOutcome>(number(azul::outcome(state)) + 1));
  write_offers(state, out);
  if (const auto result = Game::result(state)) write_standings(state, *result, out);
  if (state.untiled_rounds_max != 0) out.set_untiled_rounds(state.untiled_rounds);
}

void AzulCodec::write(const azul::Move& move, const std::vector<azul::Stage>& stages,
                      const azul::State& after, EventMessage& out) {
  write(move, *out.mutable_move());
  for (const auto& stage : stages) write_stage(stage, *out.add_stages());
  write(after, *out.mutable_view());
}

void AzulCodec::explain(const azul::State& state, const azul::Move& move, GainMessage& out) {
  const azul::Gain gain = azul::gain_of_move(state, move);
  out.set_count(gain.count);
  out.set_fills_line(gain.fills_line);
  out.set_points(gain.points);
  out.set_to_floor(gain.to_floor);
  out.set_floor_cost(gain.floor_cost);
  out.set_marker(gain.marker);
}

template <class Sink>
void AzulCodec::canonical(const azul::State& state, Sink& out) {
  out.byte(state.table.players);
  for (const auto& factory : state.table.factories()) canonical_tiles(factory, out);
  canonical_tiles(state.table.centre(), out);
  canonical_tiles(state.table.bag, out);
  canonical_tiles(state.table.lid, out);
  out.byte(state.table.next_starter.value);
  for (const auto& board : std::span(state.table.boards).first(state.table.players)) {
    canonical_board(board, out);
  }
  out.u64(state.round);
  out.byte(state.starter.value);
  out.byte(state.turn.value);
  out.byte(state.over ? 1 : 0);
  if (state.untiled_rounds_max != 0) out.byte(state.untiled_rounds);
}

Expected<azul::State> AzulCodec::read_canonical(const azul::Config& config, base::ByteReader& in) {
  return read_azul_state(config, in);
}

template void AzulCodec::canonical(azul::State const&, Fnv&);
template void AzulCodec::canonical(azul::State const&, base::ByteWriter&);
template GameEntry make_entry<AzulCodec>();

}  // namespace tesela::games
