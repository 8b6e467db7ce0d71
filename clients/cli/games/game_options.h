// The one list of the games that options can describe.
#pragma once

#include <google/protobuf/any.pb.h>
#include <google/protobuf/message.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace tesela::cli {

struct GameOptions {
  const char* name;   // of the game
  const char* about;  // in a few words
  /// Adds the options of a new game's configuration, and gives the message that they fill. What is
  /// not given is left to the server, which also judges the values.
  std::shared_ptr<google::protobuf::Message> (*add)(CLI::App& app);
};

[[nodiscard]] std::span<const GameOptions> all_game_options();

/// Gives `app` a subcommand for every game, which sets `game` and `config`: they outlive the
/// parsing. The options of `app` can stand behind the game.
void add_games(CLI::App& app, std::string& game, google::protobuf::Any& config);

}  // namespace tesela::cli
