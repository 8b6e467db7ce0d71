// A table on the whole of a terminal: what is the same for every game, around what the game draws.
#pragma once

#include <optional>
#include <string>

#include "clients/cli/client/link.h"
#include "clients/cli/screen/canvas.h"
#include "clients/cli/screen/game_screen.h"
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
  std::string message{};  // the answer to the player's last key
  std::string news{};     // of the last event, beside what its game tells of it
  TableStatus status{};
  TableTalk talk{};
  std::optional<Prompt> replay{};  // of a game that is shown again
};

/// What a player may do at the table beside playing, each by the key of its name.
struct TableKeys {
  bool begin = false;     // s, with bots
  bool rematch = false;   // r
  bool talk = false;      // t
  bool phrases = false;   // p
  bool mute = false;      // m
  bool undo = false;      // u
  bool resign = false;    // x
  bool leave = false;     // x, before the game has begun
  bool new_game = false;  // n
};

[[nodiscard]] TableKeys keys_of(const TablePicture& picture);

/// How others come to watch.
[[nodiscard]] std::string watch_words(const TablePicture& picture);

/// `screen` draws once there is a position; null before.
void draw_table(const TablePicture& picture, const GameScreen* screen, Canvas& canvas);

}  // namespace tesela::cli
