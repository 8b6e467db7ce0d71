#include "clients/cli/games/azul/azul_sentences.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "clients/cli/games/azul/azul_choice.h"
#include "clients/cli/screen/seat_words.h"

namespace tesela::cli {
namespace {

using game::v1::AzulStage;

constexpr std::uint32_t kCellsPerRow = 5;

std::string count_words(std::uint32_t count, std::uint32_t colour) {
  return std::to_string(count) + " " + colour_word(colour);
}

/// How many pieces move in all stages of one kind.
std::uint32_t travelling(const game::v1::AzulEvent& event, game::v1::AzulStageKind kind,
                         std::uint32_t piece) {
  std::uint32_t count = 0;
  for (const AzulStage& stage : event.stages()) {
    if (stage.kind() != kind) continue;
    for (const auto& motion : stage.motions()) {
      // The rest of a factory display has other colours.
      if (motion.piece() == piece) count += motion.count();
    }
  }
  return count;
}

std::string points_words(int points) {
  return ": " + std::string(points < 0 ? "" : "+") + std::to_string(points);
}

std::string tile_sentence(const AzulStage& stage, const std::string& who) {
  const std::uint32_t row = stage.tiled() / kCellsPerRow;
  const std::uint32_t column = stage.tiled() % kCellsPerRow;
  const std::uint32_t colour = (column + kCellsPerRow - row) % kCellsPerRow + 1;
  return who + " tiles " + colour_word(colour) + " in row " + std::to_string(row + 1) +
         points_words(stage.points());
}

std::string bonus_sentence(const AzulStage& stage, const std::string& who) {
  constexpr std::array<std::string_view, 4> kFor{"", "complete rows", "complete columns",
                                                 "complete colours"};
  const auto kind = static_cast<std::size_t>(stage.bonus());
  return who + " has a bonus for " + std::string{kFor.at(std::min(kind, kFor.size() - 1))} +
         points_words(stage.points());
}

/// Three such rounds in a row end the game.
std::string untiled_words(const game::v1::AzulView& view) {
  switch (view.untiled_rounds()) {
    case 0:
      return {};
    case 1:
      return "; no tile reached a wall";
    default:
      return "; one more without a tile for a wall ends the game";
  }
}

/// " from factory 2 to line 3".
std::string way_words(const game::v1::AzulMove& move) {
  const std::string from = move.has_factory()
                               ? " from factory " + std::to_string(move.factory() + 1)
                               : std::string{" from the centre"};
  return from + (move.floor() ? std::string{" to the floor"}
                              : " to line " + std::to_string(move.line() + 1));
}

}  // namespace

char piece_letter(std::uint32_t piece) {
  constexpr std::string_view kLetters = ".BYRKWM";
  return kLetters.at(std::min<std::size_t>(piece, kLetters.size() - 1));
}

std::string colour_word(std::uint32_t colour) {
  constexpr std::array<std::string_view, 6> kWords{"?", "blue", "yellow", "red", "black", "white"};
  return std::string{kWords.at(colour < kWords.size() ? colour : 0)};
}

std::string proposal_sentence(const game::v1::AzulMove& move, const game::v1::AzulGain& gain) {
  std::string text =
      count_words(gain.count(), static_cast<std::uint32_t>(move.colour())) + way_words(move);
  if (gain.fills_line()) text += ", fills it: +" + std::to_string(gain.points());
  if (gain.to_floor() == 0) return text;
  text += ", " + std::to_string(gain.to_floor()) + " to the floor";
  if (gain.marker()) text += " with the marker";
  return text + ": -" + std::to_string(gain.floor_cost());
}

std::string move_sentence(const game::v1::AzulEvent& event, const std::string& who) {
  const auto& move = event.move();
  const auto colour = static_cast<std::uint32_t>(move.colour());
  const std::uint32_t taken = travelling(event, game::v1::AZUL_STAGE_KIND_TAKE, colour);
  const std::uint32_t fallen = travelling(event, game::v1::AZUL_STAGE_KIND_OVERFLOW, colour);
  std::string text = who + " takes " + count_words(taken, colour);
  if (travelling(event, game::v1::AZUL_STAGE_KIND_TAKE, kAzulMarker) > 0) text += " and the marker";
  text += way_words(move);
  if (move.floor()) return text;
  if (fallen > 0) text += ", " + std::to_string(fallen) + (fallen == 1 ? " falls" : " fall");
  return fallen > 0 ? text + " to the floor" : text;
}

std::string stage_sentence(const AzulStage& stage, const game::v1::AzulView& after,
                           const std::vector<std::string>& names) {
  const std::string who = name_of(stage.seat(), names);
  switch (stage.kind()) {
    case game::v1::AZUL_STAGE_KIND_TILE:
      return tile_sentence(stage, who);
    case game::v1::AZUL_STAGE_KIND_PENALTY:
      return who + " clears the floor" + points_words(stage.points());
    case game::v1::AZUL_STAGE_KIND_DEAL:
      return "The next round is dealt" + untiled_words(after);
    case game::v1::AZUL_STAGE_KIND_BONUS:
      return bonus_sentence(stage, who);
    case game::v1::AZUL_STAGE_KIND_FINAL:
      return "The game is over: " + end_words(after);
    default:
      return {};
  }
}

std::string end_words(const game::v1::AzulView& view) {
  switch (view.outcome()) {
    case game::v1::AZUL_OUTCOME_ROW_COMPLETE:
      return "a row of a wall is complete";
    case game::v1::AZUL_OUTCOME_NO_TILES:
      return "no tile was left to deal";
    case game::v1::AZUL_OUTCOME_NO_TILING:
      return "no tile reached a wall for three rounds";
    default:
      return {};
  }
}

}  // namespace tesela::cli
