#include "clients/cli/screen/table_screen.h"

namespace tesela::cli {
namespace {

constexpr Paint kGood{.ink = 2, .few_ink = 2};
constexpr Paint kWarning{.ink = 3, .few_ink = 3};
constexpr Paint kBad{.ink = 1, .few_ink = 1};

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

void draw_title(const TablePicture& picture, Canvas& canvas) {
  const int table_column = kLeftMargin + static_cast<int>(picture.game.size()) + 3;
  canvas.put(0, kLeftMargin, picture.game, kBold);
  canvas.put(0, table_column,
             "table " + picture.table_id + (picture.spectating ? "  watching" : ""));
  const std::string state = words_of(picture.link);
  canvas.put(0, canvas.columns() - static_cast<int>(state.size()) - kLeftMargin, state,
             {.paint = paint_of(picture.link.phase), .bold = true});
}

/// Who is there while seats are free and nothing is dealt.
void draw_seats(const TableStatus& status, Canvas& canvas) {
  int row = kGameTop + 1;
  for (const std::string& name : status.names) {
    canvas.put(row++, kLeftMargin, name.empty() ? "a free seat" : name);
  }
}

std::string seat_words(const TablePicture& picture) {
  const std::string command = "tesela play --join " + picture.table_id;
  if (picture.invite.empty()) return "Others take a seat with: " + command;
  return "Others: " + command + " --invite " + picture.invite;
}

void draw_footer(const TablePicture& picture, const GameScreen* screen, Canvas& canvas) {
  const int row = canvas.rows() - kGameBottom;
  std::string message = picture.message;
  if (message.empty() && picture.status.waiting) message = seat_words(picture);
  canvas.put(row, kLeftMargin, message, kBold);
  std::string help = "q: quit";
  if (picture.status.rematch) help = "r: rematch   " + help;
  if (picture.status.beginner) help = "s: begin with bots   " + help;
  if (!picture.spectating && screen != nullptr) help = screen->help() + "   n: new game   " + help;
  canvas.put(row + 1, kLeftMargin, help);
  canvas.put(row + 2, kLeftMargin, watch_words(picture));
}

}  // namespace

std::string watch_words(const TablePicture& picture) {
  if (picture.invite.empty()) return "Spectators: " + picture.link_url;
  return "Spectators: tesela watch " + picture.table_id + " --invite " + picture.invite;
}

void draw_table(const TablePicture& picture, const GameScreen* screen, Canvas& canvas) {
  if (canvas.rows() < kRowsMin || canvas.columns() < kColumnsMin) {
    canvas.put(0, 0, "Please make the terminal at least 80 x 24.");
    return;
  }
  draw_title(picture, canvas);
  if (screen != nullptr && picture.status.version > 0) screen->draw(picture.status, canvas);
  if (picture.status.version == 0 && picture.status.waiting) draw_seats(picture.status, canvas);
  draw_footer(picture, screen, canvas);
}

}  // namespace tesela::cli
