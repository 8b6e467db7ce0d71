#include "clients/cli/games/azul/azul_screen.h"

#include <algorithm>
#include <utility>

#include "clients/cli/games/azul/azul_sentences.h"
#include "clients/cli/screen/seat_words.h"

namespace tesela::cli {
namespace {

using game::v1::AzulBoard;
using game::v1::AzulStage;
using game::v1::AzulTable;

std::chrono::milliseconds time_of(game::v1::AzulStageKind kind) {
  switch (kind) {
    case game::v1::AZUL_STAGE_KIND_TAKE:
    case game::v1::AZUL_STAGE_KIND_PLACE:
    case game::v1::AZUL_STAGE_KIND_OVERFLOW:
      return std::chrono::milliseconds{350};
    default:  // time to read the sentence
      return std::chrono::milliseconds{900};
  }
}

AzulPicture picture_of(const AzulStage& stage, const game::v1::AzulView& after,
                       const std::string& move, const std::vector<std::string>& names) {
  AzulPicture picture{.table = stage.table(), .sentence = stage_sentence(stage, after, names)};
  if (picture.sentence.empty()) picture.sentence = move;
  picture.seat = stage.seat();
  picture.counted.assign(stage.counted_row().begin(), stage.counted_row().end());
  picture.counted.insert(picture.counted.end(), stage.counted_column().begin(),
                         stage.counted_column().end());
  return picture;
}

/// Whether all lists of a table have their proper length.
bool is_whole(const AzulTable& table) {
  const auto whole = [](const AzulBoard& board) {
    return board.line_colours_size() == kAzulRows && board.line_counts_size() == kAzulRows &&
           board.wall_size() == kAzulRows * kAzulRows;
  };
  return table.factories_size() % kAzulColours == 0 && table.centre_size() == kAzulColours &&
         std::all_of(table.boards().begin(), table.boards().end(), whole);
}

std::string letters(const google::protobuf::RepeatedField<std::uint32_t>& counts, int first) {
  std::string text;
  for (int colour = 0; colour < kAzulColours; ++colour) {
    text.append(counts[first + colour], piece_letter(static_cast<std::uint32_t>(colour) + 1));
  }
  return text.empty() ? "-" : text;
}

/// "lines .,BB,...,....,..... wall B....,.....,.....,.....,..... floor M".
std::string board_words(const AzulBoard& board) {
  std::string lines;
  std::string wall;
  for (int row = 0; row < kAzulRows; ++row) {
    const std::uint32_t count = board.line_counts(row);
    const auto size = static_cast<std::uint32_t>(row) + 1;
    lines += (row == 0 ? "" : ",") + std::string(count, piece_letter(board.line_colours(row))) +
             std::string(size - std::min(size, count), '.');
    if (row > 0) wall += ',';
    for (int column = 0; column < kAzulRows; ++column) {
      wall += piece_letter(board.wall(row * kAzulRows + column));
    }
  }
  std::string floor;
  for (const std::uint32_t piece : board.floor()) floor += piece_letter(piece);
  return "lines " + lines + " wall " + wall + " floor " + (floor.empty() ? "-" : floor);
}

}  // namespace

bool AzulScreen::show(const google::protobuf::Any& view) {
  game::v1::AzulView next;
  if (!view.UnpackTo(&next) || !is_whole(next.table())) return false;
  sentence_.clear();
  arrive(std::move(next));
  settle();
  return true;
}

bool AzulScreen::follow(const play::v1::Event& event, const TableStatus& status) {
  game::v1::AzulEvent happened;
  if (!event.body().UnpackTo(&happened) || !is_whole(happened.view().table())) return false;
  sentence_ = move_sentence(happened, name_of(event.seat(), status.names));
  animation_.clear();
  for (const AzulStage& stage : happened.stages()) {
    if (!is_whole(stage.table())) continue;
    AzulPicture picture = picture_of(stage, happened.view(), sentence_, status.names);
    const bool dealt = stage.kind() == game::v1::AZUL_STAGE_KIND_DEAL;
    picture.round = dealt ? happened.view().round() : view_.round();
    animation_.push_back({.picture = std::move(picture), .time = time_of(stage.kind())});
  }
  arrive(std::move(*happened.mutable_view()));
  return true;
}

void AzulScreen::arrive(game::v1::AzulView view) {
  view_ = std::move(view);
  choice_.offer(view_);
}

std::optional<std::chrono::milliseconds> AzulScreen::next_frame() {
  if (animation_.empty()) {
    settle();
    return std::nullopt;
  }
  Frame frame = std::move(animation_.front());
  animation_.pop_front();
  picture_ = std::move(frame.picture);
  moving_ = true;
  return frame.time;
}

void AzulScreen::settle() {
  animation_.clear();
  moving_ = false;
  picture_ = {.table = view_.table(), .round = view_.round(), .sentence = sentence_};
}

void AzulScreen::draw(const TableStatus& status, Canvas& canvas) const {
  const bool choosing = !moving_ && !status.waiting && !status.result && status.seat &&
                        view_.has_turn() && view_.turn() == *status.seat;
  AzulFrame frame{
      .picture = picture_, .headline = headline(status), .choice = choosing ? &choice_ : nullptr};
  if (!moving_ && status.result) frame.result = &*status.result;
  TableStatus shown = status;
  if (moving_) shown.on_turn.clear();  // no moves during the animation
  draw_azul(frame, shown, canvas);
}

std::string AzulScreen::headline(const TableStatus& status) const {
  std::string round = "Round " + std::to_string(picture_.round);
  if (moving_) return round;
  if (status.result || !view_.has_turn()) {
    const std::string why = end_words(view_);
    return round + ": the game is over" + (why.empty() ? "." : ": " + why + ".");
  }
  if (status.waiting) return round + ": it begins when all seats are taken.";
  if (status.seat == view_.turn()) return round + ": your turn. " + task();
  return round + ": it is the turn of " + name_of(view_.turn(), status.names) + ".";
}

/// The prompt for the player on turn.
std::string AzulScreen::task() const {
  const auto* offer = choice_.current();
  if (offer == nullptr) return {};
  std::string text = (choice_.placing() ? "Put " : "Take ") + std::to_string(offer->count()) + " " +
                     colour_word(static_cast<std::uint32_t>(offer->colour()));
  if (offer->marker()) text += " and the marker";
  if (!choice_.placing()) {
    text += offer->has_factory() ? " from factory " + std::to_string(offer->factory() + 1)
                                 : std::string{" from the centre"};
    return text + "?";
  }
  if (choice_.target() == kAzulFloor) return text + " to the floor?";
  text += " to line " + std::to_string(choice_.target() + 1);
  if (choice_.overflow() > 0) text += ", " + std::to_string(choice_.overflow()) + " to the floor";
  return text + "?";
}

Pressed AzulScreen::press(Key key, const TableStatus& status) {
  if (status.waiting) return {.message = "The game begins when all seats are taken."};
  if (!status.seat || view_.turn() != *status.seat) {
    return {.message = "It is the turn of " + name_of(view_.turn(), status.names) + "."};
  }
  const auto move = choice_.press(key);
  if (!move) return {};
  choice_.put_back();
  Pressed pressed;
  pressed.move.emplace().PackFrom(*move);
  return pressed;
}

std::string AzulScreen::help() const {
  return choice_.placing() ? "up/down, 1-5 or f: line   enter: put   esc: back"
                           : "arrows, 1-9, c, byrkw: tiles   enter: take";
}

std::string AzulScreen::verdict(const TableStatus& status) const {
  return winner_words(*status.result, status.names);
}

std::string AzulScreen::score_words() const {
  std::string words = "scores";
  for (const AzulBoard& board : view_.table().boards()) {
    words += (words == "scores" ? " " : " : ") + std::to_string(board.score());
  }
  return words;
}

std::string AzulScreen::line(const TableStatus& status) const {
  const AzulTable& table = view_.table();
  std::string line = score_words() + " | round " + std::to_string(view_.round()) + " | factories";
  for (int first = 0; first < table.factories_size(); first += kAzulColours) {
    line += " " + letters(table.factories(), first);
  }
  line += " | centre " + letters(table.centre(), 0) + (table.marker_in_centre() ? " M" : "");
  for (int seat = 0; seat < table.boards_size(); ++seat) {
    line += " | " + name_of(static_cast<std::uint32_t>(seat), status.names) + ": " +
            board_words(table.boards(seat));
  }
  if (status.result || !view_.has_turn()) {
    const std::string why = end_words(view_);
    return line + (why.empty() ? "" : " | " + why) + " | over";
  }
  return line + " | turn of " + name_of(view_.turn(), status.names);
}

std::string AzulScreen::proposal_words(const google::protobuf::Any& move,
                                       const google::protobuf::Any& gain) const {
  game::v1::AzulMove proposed;
  game::v1::AzulGain brings;
  if (!move.UnpackTo(&proposed) || !gain.UnpackTo(&brings)) return "?";
  return proposal_sentence(proposed, brings);
}

std::string AzulScreen::move_words(const play::v1::Event& event, const TableStatus& status) const {
  game::v1::AzulEvent happened;
  if (!event.body().UnpackTo(&happened)) return "?";
  return move_sentence(happened, name_of(event.seat(), status.names));
}

}  // namespace tesela::cli
