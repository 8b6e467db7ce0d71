// Draws a table on a whole terminal: the parts common to all games, around the game's screen.
#pragma once

#include <optional>
#include <string>

#include "clients/cli/client/stream_client.h"
#include "clients/cli/screen/canvas.h"
#include "clients/cli/screen/game_screen.h"
#include "clients/cli/table/table_hint.h"
#include "clients/cli/table/table_talk.h"
#include "tesela/lobby/v1/table_options.pb.h"

namespace tesela::cli {

struct TablePicture {
  std::string game;  // its name; empty before Welcome
  std::string table_id;
  std::string link_url{};             // for spectators
  std::string invite{};               // of a private table
  lobby::v1::TableOptions options{};  // as far as known
  Link link{};
  bool spectating = false;
  std::uint32_t spectators = 0;
  bool assisted = false;  // somebody has asked for a hint, or taken a move back
  std::string message{};  // the response to the player's last key
  std::string news{};     // about the last event, if it was not an ordinary move
  TableStatus status{};
  TableTalk talk{};
  TableHint hint{};                // for the position of now
  std::optional<Prompt> replay{};  // in a replay
};

/// The commands of a player at the table besides moves, each with its key.
struct TableKeys {
  bool begin = false;     // s, with bots
  bool rematch = false;   // r
  bool hint = false;      // ?
  bool talk = false;      // t
  bool phrases = false;   // p
  bool mute = false;      // m
  bool undo = false;      // u
  bool resign = false;    // x
  bool leave = false;     // x, before the game has begun
  bool new_game = false;  // n
};

[[nodiscard]] TableKeys keys_of(const TablePicture& picture);

/// Tells how others can watch.
[[nodiscard]] std::string watch_words(const TablePicture& picture);

/// `screen` is null before the game is known. It draws when there is a position.
void draw_table(const TablePicture& picture, const GameScreen* screen, Canvas& canvas);

}  // namespace tesela::cli
