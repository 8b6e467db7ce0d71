#include "server/games/g2248/g2248.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "server/base/wire_reader.h"
#include "server/games/codec_parts.h"
#include "server/games/entry.h"

namespace tesela::games {
namespace {

namespace pb = tesela::game::v1;

Expected<g2248::Path> read_chain(const pb::Game2248Chain& in) {
  if (in.cells_size() > static_cast<int>(g2248::kCellsMax)) {
    return refuse(ErrorCode::kInvalidArgument,
                  "A chain has at most " + std::to_string(g2248::kCellsMax) + " cells, not " +
                      std::to_string(in.cells_size()) + ".");
  }
  g2248::Path path;
  for (const std::uint32_t cell : in.cells()) {
    if (cell >= g2248::kCellsMax) {
      return refuse(ErrorCode::kInvalidArgument,
                    "No board has a cell " + std::to_string(cell) + ".");
    }
    path.push_back(static_cast<g2248::Cell>(cell));
  }
  return path;
}

pb::Game2248StageKind message_of(g2248::StageKind kind) {
  switch (kind) {
    case g2248::StageKind::kSum:
      return pb::GAME2248_STAGE_KIND_SUM;
    case g2248::StageKind::kClear:
      return pb::GAME2248_STAGE_KIND_CLEAR;
    case g2248::StageKind::kFall:
      return pb::GAME2248_STAGE_KIND_FALL;
    case g2248::StageKind::kRefill:
      break;
  }
  return pb::GAME2248_STAGE_KIND_REFILL;
}

pb::Game2248Outcome message_of(g2248::Outcome outcome) {
  switch (outcome) {
    case g2248::Outcome::kInPlay:
      return pb::GAME2248_OUTCOME_IN_PLAY;
    case g2248::Outcome::kGoalReached:
      return pb::GAME2248_OUTCOME_GOAL_REACHED;
    case g2248::Outcome::kOver:
      break;
  }
  return pb::GAME2248_OUTCOME_OVER;
}

}  // namespace

Expected<g2248::Config> G2248Codec::read(const ConfigMessage& in) {
  g2248::Config config;
  auto read = read_byte("rows", in.has_rows(), in.rows(), config.rows);
  if (read) read = read_byte("columns", in.has_columns(), in.columns(), config.columns);
  if (in.has_goal()) config.goal = in.goal();
  if (read) read = g2248::validate(config);
  if (!read) return std::unexpected(read.error());
  return config;
}

void G2248Codec::write(const g2248::Config& config, ConfigMessage& out) {
  out.set_rows(config.rows);
  out.set_columns(config.columns);
  out.set_goal(config.goal);
}

Expected<g2248::Move> G2248Codec::read(const MoveMessage& in) {
  switch (in.move_case()) {
    case MoveMessage::kBooster:
      return g2248::Move{.kind = g2248::MoveKind::kBooster};
    case MoveMessage::kChain: {
      const auto path = read_chain(in.chain());
      if (!path) return std::unexpected(path.error());
      return g2248::Move{.kind = g2248::MoveKind::kChain, .chain = *path};
    }
    case MoveMessage::MOVE_NOT_SET:
      break;
  }
  return refuse(ErrorCode::kInvalidArgument, "The move must be a chain or the booster.");
}

std::optional<g2248::Move> G2248Codec::read_usual(std::string_view bytes) {
  base::WireReader in(bytes);
  const auto chain = in.bytes(MoveMessage::kChainFieldNumber);
  const auto booster = in.bytes(MoveMessage::kBoosterFieldNumber);
  if (!in.done() || chain.has_value() == booster.has_value()) return std::nullopt;
  if (booster) {
    if (!booster->empty()) return std::nullopt;
    return g2248::Move{.kind = g2248::MoveKind::kBooster};
  }
  base::WireReader content(*chain);
  const auto cells = content.bytes(pb::Game2248Chain::kCellsFieldNumber).value_or("");
  if (!content.done() || cells.size() > g2248::kCellsMax) return std::nullopt;
  static_assert(g2248::kCellsMax <= 0x80);  // every cell has one byte
  g2248::Move move{.kind = g2248::MoveKind::kChain};
  for (const char one : cells) {
    const auto cell = static_cast<unsigned char>(one);
    if (cell >= g2248::kCellsMax) return std::nullopt;
    move.chain.push_back(static_cast<g2248::Cell>(cell));
  }
  return move;
}

void G2248Codec::write(const g2248::Move& move, base::WireWriter& out) {
  const auto end = out.mark();
  if (move.kind == g2248::MoveKind::kBooster) {
    out.message(MoveMessage::kBoosterFieldNumber, end);
    return;
  }
  out.packed(pb::Game2248Chain::kCellsFieldNumber, move.chain.cells());
  out.message(MoveMessage::kChainFieldNumber, end);
}

void G2248Codec::write(const g2248::State& state, base::WireWriter& out) {
  using Message = pb::Game2248View;
  const g2248::Board& board = state.board;
  std::array<g2248::Links, g2248::kCellsMax> links{};
  for (std::size_t cell = 0; cell < board.size(); ++cell) {
    links.at(cell) = g2248::links_of(board, static_cast<g2248::Cell>(cell));
  }
  const bool booster = g2248::check_booster(board, g2248::Groups(board)).has_value();
  out.number(Message::kBoosterFieldNumber, booster ? 1 : 0);
  out.packed(Message::kLinksFieldNumber, std::span(links).first(board.size()));
  out.number(Message::kOutcomeFieldNumber, message_of(g2248::outcome(state)));
  out.number(Message::kGoalReachedFieldNumber, state.goal_reached ? 1 : 0);
  out.number(Message::kGoalFieldNumber, state.goal);
  out.number(Message::kScoreFieldNumber, state.score);
  out.packed(Message::kCellsFieldNumber, board.used());
  out.number(Message::kColumnsFieldNumber, board.columns);
  out.number(Message::kRowsFieldNumber, board.rows);
}

void G2248Codec::write(const g2248::Stage& stage, const g2248::State& /*after*/,
                       base::WireWriter& out) {
  using Message = pb::Game2248Stage;
  out.number(Message::kGoalReachedFieldNumber, stage.goal_reached ? 1 : 0);
  out.number(Message::kPointsFieldNumber, stage.points);
  out.packed(Message::kRefilledFieldNumber, stage.refilled);
  write_motions(Message::kMotionsFieldNumber, stage.motions, out);
  out.packed(Message::kCellsFieldNumber, stage.board.used());
  out.number(Message::kKindFieldNumber, message_of(stage.kind));
}

void G2248Codec::explain(const g2248::State& state, const g2248::Move& move,
                         base::WireWriter& out) {
  Rng any(Seed{});
  const auto after = Game::apply(state, g2248::kOnlySeat, move, any, NoStages{});
  if (!after) return;
  out.number(GainMessage::kPointsFieldNumber, after->score - state.score);
  out.number(GainMessage::kCellsFieldNumber, move.chain.size());
}

template <class Sink>
void G2248Codec::canonical(const g2248::State& state, Sink& out) {
  out.byte(state.board.rows);
  out.byte(state.board.columns);
  for (const auto cell : state.board.used()) out.byte(cell);
  out.u64(state.score);
  out.byte(state.goal_reached ? 1 : 0);
}

Expected<g2248::State> G2248Codec::read_canonical(const g2248::Config& config,
                                                  base::ByteReader& in) {
  if (in.byte() != config.rows || in.byte() != config.columns) return not_a_position();
  g2248::State state{.board = {.rows = config.rows, .columns = config.columns},
                     .goal = config.goal};
  for (auto& cell : state.board.used()) cell = in.byte();
  const auto tile = [](g2248::Exponent cell) { return cell >= 1 && cell <= g2248::kExponentMax; };
  state.score = in.u64();
  state.goal_reached = state.score >= state.goal;
  if (!std::ranges::all_of(state.board.used(), tile) || state.score > g2248::kScoreMax ||
      in.byte() != (state.goal_reached ? 1 : 0)) {
    return not_a_position();
  }
  return state;
}

template void G2248Codec::canonical(g2248::State const&, Fnv&);
template void G2248Codec::canonical(g2248::State const&, base::ByteWriter&);
template GameEntry make_entry<G2248Codec>();

}  // namespace tesela::games
