#include "server/games/azul/azul.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>

#include "engine/azul/gain.h"
#include "server/base/wire_reader.h"
#include "server/games/entry.h"

namespace tesela::games {
namespace {

namespace pb = tesela::game::v1;
using base::WireWriter;

std::unexpected<Error> invalid(std::string message) {
  return refuse(ErrorCode::kInvalidArgument, std::move(message));
}

// Colours, pieces and the values of AzulColour have the same numbers.
static_assert(azul::piece_of(azul::Colour::kBlue) == pb::AZUL_COLOUR_BLUE);
static_assert(azul::piece_of(azul::Colour::kWhite) == pb::AZUL_COLOUR_WHITE);

/// The kinds of a message begin with one that is unspecified.
template <class Kind>
constexpr std::uint64_t kind_number(Kind kind) {
  return static_cast<std::uint64_t>(kind) + 1;
}
static_assert(kind_number(azul::StageKind::kTake) == pb::AZUL_STAGE_KIND_TAKE);
static_assert(kind_number(azul::StageKind::kTile) == pb::AZUL_STAGE_KIND_TILE);
static_assert(kind_number(azul::StageKind::kFinal) == pb::AZUL_STAGE_KIND_FINAL);
static_assert(static_cast<int>(azul::BonusKind::kNone) == pb::AZUL_BONUS_KIND_UNSPECIFIED);
static_assert(static_cast<int>(azul::BonusKind::kColours) == pb::AZUL_BONUS_KIND_COLOURS);
static_assert(kind_number(azul::Outcome::kInPlay) == pb::AZUL_OUTCOME_IN_PLAY);
static_assert(kind_number(azul::Outcome::kNoTiles) == pb::AZUL_OUTCOME_NO_TILES);
static_assert(kind_number(azul::Outcome::kNoTiling) == pb::AZUL_OUTCOME_NO_TILING);

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

constexpr std::size_t kCells = std::size_t{azul::kRows} * azul::kRows;

/// At most `size` numbers of a packed field, in their order.
template <std::size_t size>
class Packed {
 public:
  void add(unsigned number) { values_[count_++] = static_cast<std::uint8_t>(number); }
  void add(const azul::Tiles& tiles) {
    for (const auto colour : azul::kColours) add(tiles.count(colour));
  }
  [[nodiscard]] std::span<const std::uint8_t> values() const {
    return std::span(values_).first(count_);
  }

 private:
  std::array<std::uint8_t, size> values_{};
  std::size_t count_{0};
};

/// Legal moves that take the same tiles.
struct Offer {
  azul::Source source{};
  azul::Colour colour{};
  unsigned count{};
  Packed<azul::kRows> lines;
  Packed<azul::kRows> overflow;
};

/// Moves and offers encode their source in the same way.
template <class Message>
void write_source(azul::Source source, WireWriter& out) {
  if (source == azul::kCentre) {
    out.number(Message::kCentreFieldNumber, 1);
  } else {
    out.present_number(Message::kFactoryFieldNumber, source);
  }
}

void write_counts(std::uint32_t field, const azul::Tiles& tiles, WireWriter& out) {
  Packed<azul::kColourCount> counts;
  counts.add(tiles);
  out.packed(field, counts.values());
}

void write_board(const azul::Board& board, WireWriter& out) {
  using Message = pb::AzulBoard;
  Packed<azul::FloorLine::kSpaces> floor;
  for (unsigned space = 0; space < board.floor.count(); ++space) {
    floor.add(board.floor.piece(space));
  }
  Packed<kCells> wall;
  for (unsigned cell = 0; cell < kCells; ++cell) {
    wall.add(board.wall.has(cell) ? azul::piece_of(azul::wall_colour(cell)) : azul::kNoPiece);
  }
  Packed<azul::kRows> counts;
  Packed<azul::kRows> colours;
  for (const auto& line : board.lines) {
    counts.add(line.count);
    colours.add(line.holds);
  }
  out.packed(Message::kFloorFieldNumber, floor.values());
  out.packed(Message::kWallFieldNumber, wall.values());
  out.packed(Message::kLineCountsFieldNumber, counts.values());
  out.packed(Message::kLineColoursFieldNumber, colours.values());
  out.number(Message::kScoreFieldNumber, board.score);
}

void write_table(std::uint32_t field, const azul::Table& table, WireWriter& out) {
  using Message = pb::AzulTable;
  const auto whole = out.mark();
  write_counts(Message::kLidFieldNumber, table.lid, out);
  write_counts(Message::kBagFieldNumber, table.bag, out);
  const auto boards = std::span(table.boards).first(table.players);
  for (const auto& board : std::views::reverse(boards)) {
    const auto end = out.mark();
    write_board(board, out);
    out.message(Message::kBoardsFieldNumber, end);
  }
  if (table.marker_in_centre()) {
    out.number(Message::kMarkerInCentreFieldNumber, 1);
  } else {
    out.present_number(Message::kNextStarterFieldNumber, table.next_starter.value);
  }
  write_counts(Message::kCentreFieldNumber, table.centre(), out);
  Packed<azul::kFactoriesMax * azul::kColourCount> factories;
  for (const auto& factory : table.factories()) factories.add(factory);
  out.packed(Message::kFactoriesFieldNumber, factories.values());
  out.message(field, whole);
}

void write_offer(const Offer& offer, bool marker_in_centre, WireWriter& out) {
  using Message = pb::AzulOffer;
  out.packed(Message::kOverflowFieldNumber, offer.overflow.values());
  out.packed(Message::kLinesFieldNumber, offer.lines.values());
  out.number(Message::kMarkerFieldNumber,
             offer.source == azul::kCentre && marker_in_centre ? 1 : 0);
  out.number(Message::kCountFieldNumber, offer.count);
  out.number(Message::kColourFieldNumber, azul::piece_of(offer.colour));
  write_source<Message>(offer.source, out);
}

/// The last of the moves that take the same tiles goes to the floor line.
void write_offers(const azul::State& state, WireWriter& out) {
  const auto& lines = state.table.boards[state.turn.value].lines;
  std::array<Offer, azul::kSourcesMax * azul::kColourCount> offers;
  std::size_t count = 0;
  azul::Game::legal_moves(state, state.turn, [&](const azul::Move& move) {
    Offer& offer = offers[count];
    const auto taken = state.table.sources[move.source].count(move.colour);
    if (move.target != azul::kFloor) {
      offer.lines.add(move.target);
      offer.overflow.add(taken -
                         std::min(taken, azul::line_size(move.target) - lines[move.target].count));
      return;
    }
    offer.source = move.source;
    offer.colour = move.colour;
    offer.count = taken;
    ++count;
  });
  for (const Offer& offer : std::views::reverse(std::span(offers).first(count))) {
    const auto end = out.mark();
    write_offer(offer, state.table.marker_in_centre(), out);
    out.message(pb::AzulView::kOffersFieldNumber, end);
  }
}

void write_standing(const Standing& standing, const azul::Board& board, WireWriter& out) {
  using Message = pb::AzulStanding;
  const auto completed = board.wall.completed();
  out.number(Message::kColoursFieldNumber, completed.colours);
  out.number(Message::kColumnsFieldNumber, completed.columns);
  out.number(Message::kRowsFieldNumber, completed.rows);
  out.number(Message::kRankFieldNumber, standing.rank);
}

void write_standings(const azul::State& state, const Result& result, WireWriter& out) {
  for (std::size_t seat = result.seats; seat-- > 0;) {
    const auto end = out.mark();
    write_standing(result.standings[seat], state.table.boards[seat], out);
    out.message(pb::AzulView::kStandingsFieldNumber, end);
  }
}

void write_counted(const azul::Stage& stage, WireWriter& out) {
  const unsigned row = stage.tiled / azul::kRows;
  const unsigned column = stage.tiled % azul::kRows;
  Packed<azul::kRows> across;
  Packed<azul::kRows> down;
  for (unsigned place = 0; place < azul::kRows; ++place) {
    if ((stage.counted.across >> place & 1U) != 0) across.add(row * azul::kRows + place);
    if ((stage.counted.down >> place & 1U) != 0) down.add(place * azul::kRows + column);
  }
  out.packed(pb::AzulStage::kCountedColumnFieldNumber, down.values());
  out.packed(pb::AzulStage::kCountedRowFieldNumber, across.values());
}

void write_motion(const azul::Motion& motion, WireWriter& out) {
  using Message = pb::AzulMotion;
  out.number(Message::kToFieldNumber, motion.to);
  out.number(Message::kFromFieldNumber, motion.from);
  out.number(Message::kCountFieldNumber, motion.count);
  out.number(Message::kPieceFieldNumber, motion.piece);
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

void AzulCodec::write(const azul::Move& move, WireWriter& out) {
  using Message = pb::AzulMove;
  if (move.target == azul::kFloor) {
    out.number(Message::kFloorFieldNumber, 1);
  } else {
    out.present_number(Message::kLineFieldNumber, move.target);
  }
  out.number(Message::kColourFieldNumber, azul::piece_of(move.colour));
  write_source<Message>(move.source, out);
}

void AzulCodec::write(const azul::State& state, WireWriter& out) {
  using Message = pb::AzulView;
  if (state.untiled_rounds_max != 0) {
    out.present_number(Message::kUntiledRoundsFieldNumber, state.untiled_rounds);
  }
  if (const auto result = azul::Game::result(state)) write_standings(state, *result, out);
  write_offers(state, out);
  out.number(Message::kOutcomeFieldNumber, kind_number(azul::outcome(state)));
  if (const auto turn = azul::Game::turn(state)) {
    out.present_number(Message::kTurnFieldNumber, turn->value);
  }
  out.number(Message::kStarterFieldNumber, state.starter.value);
  out.number(Message::kRoundFieldNumber, state.round);
  write_table(Message::kTableFieldNumber, state.table, out);
}

void AzulCodec::write(const azul::Stage& stage, const azul::State& /*after*/, WireWriter& out) {
  using Message = pb::AzulStage;
  out.number(Message::kBonusFieldNumber, static_cast<std::uint64_t>(stage.bonus));
  if (stage.kind == azul::StageKind::kTile) {
    write_counted(stage, out);
    out.present_number(Message::kTiledFieldNumber, stage.tiled);
  }
  out.signed_number(Message::kPointsFieldNumber, stage.points);
  out.number(Message::kInHandFieldNumber, stage.in_hand);
  for (const auto& motion : std::views::reverse(stage.motions)) {
    const auto end = out.mark();
    write_motion(motion, out);
    out.message(Message::kMotionsFieldNumber, end);
  }
  write_table(Message::kTableFieldNumber, stage.table, out);
  out.number(Message::kSeatFieldNumber, stage.seat.value);
  out.number(Message::kKindFieldNumber, kind_number(stage.kind));
}

void AzulCodec::explain(const azul::State& state, const azul::Move& move, WireWriter& out) {
  using Message = GainMessage;
  const azul::Gain gain = azul::gain_of_move(state, move);
  out.number(Message::kMarkerFieldNumber, gain.marker ? 1 : 0);
  out.number(Message::kFloorCostFieldNumber, gain.floor_cost);
  out.number(Message::kToFloorFieldNumber, gain.to_floor);
  out.number(Message::kPointsFieldNumber, gain.points);
  out.number(Message::kFillsLineFieldNumber, gain.fills_line ? 1 : 0);
  out.number(Message::kCountFieldNumber, gain.count);
}

template GameEntry make_entry<AzulCodec>();

}  // namespace tesela::games
