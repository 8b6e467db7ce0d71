#include "clients/cli/table/table_screen.h"

#include <algorithm>
#include <utility>

#include "clients/cli/base/text_rows.h"
#include "clients/cli/screen/seat_words.h"

namespace tesela::cli {
namespace {

constexpr Paint kGood{.ink = 2, .few_ink = 2};
constexpr Paint kWarning{.ink = 3, .few_ink = 3};
constexpr Paint kBad{.ink = 1, .few_ink = 1};

/// The most rows of messages, below the game or, while the player writes, over it.
constexpr std::size_t kTalkRowsMax = 8;

std::string words_of(const Link& link) {
  switch (link.phase) {
    case Link::Phase::kConnecting:
      return "connecting";
    case Link::Phase::kOpen:
      return "connected";
    case Link::Phase::kWaiting:
      return "connection lost, trying again";
    case Link::Phase::kClosed:
      return "closed";
  }
  return {};
}

Paint paint_of(Link::Phase phase) {
  if (phase == Link::Phase::kOpen) return kGood;
  return phase == Link::Phase::kClosed ? kBad : kWarning;
}

std::size_t width_of(const Canvas& canvas) {
  return static_cast<std::size_t>(canvas.columns() - 2 * kLeftMargin);
}

std::string marked(std::size_t seat, const TableStatus& status) {
  const std::string mark = seat < status.marks.size() ? status.marks[seat] : "";
  return status.names[seat] + (mark.empty() ? "" : " (" + mark + ")");
}

std::string audience_words(const TablePicture& picture) {
  std::string words;
  if (picture.spectating) words = picture.replay ? "  replay" : "  watching";
  if (picture.spectators > 0) words += "  " + std::to_string(picture.spectators) + " watch";
  return words;
}

void draw_title(const TablePicture& picture, Canvas& canvas) {
  const int table_column = kLeftMargin + static_cast<int>(picture.game.size()) + 3;
  canvas.put(0, kLeftMargin, picture.game, kBold);
  const bool known = picture.link.phase == Link::Phase::kOpen;
  canvas.put(0, table_column, "table " + picture.table_id + (known ? audience_words(picture) : ""));
  if (picture.replay) return;
  const std::string state = words_of(picture.link);
  canvas.put(0, canvas.columns() - static_cast<int>(state.size()) - kLeftMargin, state,
             {.paint = paint_of(picture.link.phase), .bold = true});
}

/// The seats, before the game has begun.
void draw_seats(const TableStatus& status, Canvas& canvas) {
  for (std::size_t seat = 0; seat < status.names.size(); ++seat) {
    canvas.put(kGameTop + 1 + static_cast<int>(seat), kLeftMargin,
               status.names[seat].empty() ? "a free seat" : marked(seat, status));
  }
}

std::string seat_words(const TablePicture& picture) {
  const std::string command = "tesela play --join " + picture.table_id;
  if (picture.invite.empty()) return "Others take a seat with: " + command;
  return "Others: " + command + " --invite " + picture.invite;
}

bool is_blank(const Canvas& canvas, int row) {
  for (int column = 0; column < canvas.columns(); ++column) {
    const Canvas::Cell& cell = canvas.at(row, column);
    if (cell.glyph != U' ' || cell.style != Style{}) return false;
  }
  return true;
}

/// The rows that the game leaves free at its bottom.
std::size_t free_rows(const Canvas& canvas) {
  std::size_t count = 0;
  for (int row = canvas.rows() - kGameBottom - 1; row >= kGameTop && is_blank(canvas, row); --row) {
    ++count;
  }
  return count;
}

/// Messages of players are shown in the rows that the game leaves free; if there are none, the last
/// one replaces the row about spectators. While the player writes, they cover the game.
void draw_talk(const TablePicture& picture, Canvas& canvas) {
  const int below = canvas.rows() - kGameBottom;
  const std::size_t room = free_rows(canvas);
  const bool writing = picture.talk.asking() == TableTalk::Asking::kWords;
  const bool beside = writing || room > 1;
  const std::size_t rows_max = writing  ? kTalkRowsMax
                               : beside ? std::min(room - 1, kTalkRowsMax)
                                        : 1;
  const auto rows = picture.talk.rows(width_of(canvas), rows_max);
  if (beside || rows.empty()) canvas.put(below, kLeftMargin, watch_words(picture));
  if (rows.empty()) return;
  int row = beside ? below - static_cast<int>(rows.size()) : below;
  if (writing) {
    canvas.fill(row - 1, 0, static_cast<int>(rows.size()) + 1, canvas.columns(), U' ');
  }
  for (const std::string& line : rows) canvas.put(row++, kLeftMargin, line);
}

/// At a table with one seat, the player is named nowhere else.
std::string player_words(const TableStatus& status) {
  if (status.names.size() != 1 || status.names[0].empty()) return {};
  const bool away = !status.marks.empty() && status.marks[0] == "away";
  return status.names[0] + (away ? " is away." : " is playing.");
}

/// The response to the player's last key, or else the state of the table.
std::string table_message(const TablePicture& picture) {
  if (!picture.message.empty()) return picture.message;
  if (!picture.news.empty()) return picture.news;
  if (picture.status.waiting) return seat_words(picture);
  return picture.spectating ? player_words(picture.status) : "";
}

std::vector<std::string> key_rows(const TablePicture& picture, const GameScreen* screen,
                                  std::size_t width) {
  const TableKeys keys = keys_of(picture);
  std::vector<std::string> items;
  const auto add = [&items](bool holds, const char* words) {
    if (holds) items.emplace_back(words);
  };
  add(keys.begin, "s: begin with bots");
  add(keys.rematch, "r: rematch");
  add(keys.hint, picture.hint.empty() ? "?: hint" : "?: next");
  add(keys.talk, "t: talk");
  add(keys.phrases, "p: phrases");
  add(keys.mute, "m: mute");
  add(keys.undo, "u: undo");
  add(keys.resign, "x: resign");
  add(keys.leave, "x: leave");
  add(keys.new_game, "n: new game");
  add(true, "q: quit");
  auto rows = flowed(items, width);
  const TableStatus& status = picture.status;
  const bool playing = status.version > 0 && !status.waiting && !status.result;
  if (playing && !picture.spectating && screen != nullptr)
    rows.insert(rows.begin(), screen->help());
  return rows;
}

void draw_footer(const TablePicture& picture, const GameScreen* screen, Canvas& canvas) {
  const std::size_t width = width_of(canvas);
  const auto asked = picture.replay ? picture.replay : picture.talk.prompt(width);
  int row = canvas.rows() - kGameBottom + 1;
  canvas.put(row, kLeftMargin, asked ? asked->text : table_message(picture), kBold);
  const auto keys = asked ? asked->keys : key_rows(picture, screen, width);
  for (const std::string& line : keys) canvas.put(++row, kLeftMargin, line);
}

}  // namespace

TableKeys keys_of(const TablePicture& picture) {
  const TableStatus& status = picture.status;
  const bool seated = status.seat.has_value() && !picture.spectating;
  const bool playing = status.version > 0 && !status.waiting && !status.result;
  const bool several = status.names.size() > 1;
  const auto talk = picture.options.talk();
  const std::string mark =
      seated && *status.seat < status.marks.size() ? status.marks[*status.seat] : "";
  const bool own_seat = seated && mark != kByBot && mark != kResigned;
  const bool on_turn = seated && std::ranges::count(status.on_turn, *status.seat) > 0;
  return {
      .begin = status.can_start,
      .rematch = status.rematch,
      .hint = own_seat && playing && on_turn && !picture.options.ranked(),
      .talk = seated && several && talk != lobby::v1::TALK_OFF && talk != lobby::v1::TALK_PHRASES,
      .phrases = seated && several && talk != lobby::v1::TALK_OFF,
      .mute = several && talk != lobby::v1::TALK_OFF && picture.talk.has_others(),
      .undo = own_seat && playing && !several,
      .resign = own_seat && playing,
      .leave = seated && status.waiting,
      .new_game = !picture.spectating && !picture.game.empty()};
}

std::string watch_words(const TablePicture& picture) {
  if (!picture.invite.empty()) {
    return "Spectators: tesela watch " + picture.table_id + " --invite " + picture.invite;
  }
  return picture.link_url.empty() ? "" : "Spectators: " + picture.link_url;
}

void draw_table(const TablePicture& picture, const GameScreen* screen, Canvas& canvas) {
  if (canvas.rows() < kRowsMin || canvas.columns() < kColumnsMin) {
    canvas.put(0, 0, "Please make the terminal at least 80 x 24.");
    return;
  }
  draw_title(picture, canvas);
  if (screen != nullptr && picture.status.version > 0) screen->draw(picture.status, canvas);
  if (picture.status.version == 0 && picture.status.waiting) draw_seats(picture.status, canvas);
  draw_talk(picture, canvas);
  draw_footer(picture, screen, canvas);
}

}  // namespace tesela::cli
