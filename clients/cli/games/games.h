// The games of this program, and their parts.
#pragma once

#include <google/protobuf/any.pb.h>
#include <google/protobuf/message.h>

#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "clients/cli/base/json.h"
#include "clients/cli/screen/game_screen.h"
#include "engine/core/result.h"

namespace CLI {
class App;
}

namespace tesela::cli {

struct HintOptions;
struct SimulateOptions;
struct TournamentOptions;

/// A kind of question to `tesela rules`, and the function that gives the fields of its answer.
struct QuestionKind {
  std::string_view name;
  Expected<Json> (*answer)(const Json& question);
};

/// One game as this program plays, shows and simulates it. A game defines one constant of this type
/// with terminal_game() of terminal_game.h.
struct TerminalGame {
  std::string_view new_game;                // the help of `tesela play GAME`
  std::string_view position;                // of `tesela hint`: what the JSON of a position has
  std::span<const QuestionKind> questions;  // names that no other game uses
  std::string_view questions_help;          // a paragraph of `tesela rules --help`, as "\n…\n"

  // Filled in by terminal_game():
  std::string_view name{};   // as in the protocol: "azul"
  std::string_view title{};  // as people read it: "Azul"
  std::unique_ptr<GameScreen> (*make_screen)() = nullptr;
  /// Adds the options of a configuration, and gives the message that they fill. What is not given
  /// is left to the server, which also checks the values.
  std::shared_ptr<google::protobuf::Message> (*add_options)(CLI::App& app) = nullptr;
  // What bots do here, without a server. `config` is a message of add_options(); an invalid one is
  // refused with kInvalidArgument.
  Expected<void> (*simulate)(const google::protobuf::Message& config,
                             const SimulateOptions& options) = nullptr;
  Expected<void> (*play_tournament)(const google::protobuf::Message& config,
                                    const TournamentOptions& options) = nullptr;
  /// What strategies advise in a position, printed to `out`.
  Expected<void> (*hint)(const Json& position, const HintOptions& options,
                         std::ostream& out) = nullptr;
};

/// In the order of the list, server/games/games.def.
[[nodiscard]] std::span<const TerminalGame* const> all_games();

/// A screen for the game of this name. That of a game without an entry shows what the server says
/// of it as a grid.
[[nodiscard]] std::unique_ptr<GameScreen> make_screen(std::string_view game);

/// Gives `app` a subcommand for every game, with its options, which sets `game` and `config`: they
/// outlive the parsing. The options of `app` may follow the game.
void add_new_games(CLI::App& app, std::string& game, google::protobuf::Any& config);

/// Gives `app` a subcommand for every game, to which `add` gives options and a callback. The
/// options of `app` may follow the game. Without a game `app` fails.
void add_local_games(CLI::App& app,
                     const std::function<void(CLI::App& app, const TerminalGame& game)>& add);

/// The field of a configuration that says how many play; null where the game has one seat.
[[nodiscard]] const google::protobuf::FieldDescriptor* seats_field(
    const google::protobuf::Message& config);

}  // namespace tesela::cli
