// How a game makes its entry of the list (games.h), and its options. For the games alone.
#pragma once

#include <memory>
#include <span>

#include "clients/cli/games/games.h"
#include "clients/cli/games/remote_strategy.h"
#include "clients/cli/simulate/game_text.h"
#include "clients/cli/simulate/hint.h"
#include "clients/cli/simulate/run_simulation.h"
#include "clients/cli/simulate/run_tournament.h"

namespace tesela::cli {

/// An option that fills a field of a configuration: a number, a text, or a flag for a bool.
struct FieldOption {
  const char* name;   // as in "--rows", or several with commas between them
  const char* field;  // of the message
  const char* about;  // for the help
};

/// `config` outlives the parsing.
void add_field_options(CLI::App& app, google::protobuf::Message& config,
                       std::span<const FieldOption> options);

/// `entry` with its functions, made of the parts of the game. Text is a GameText with the static
/// function `add_options(CLI::App&, ConfigMessage&)`; Codec is the server's codec of the game;
/// Screen is a GameScreen.
template <GameText Text, class Codec, class Screen>
constexpr TerminalGame terminal_game(TerminalGame entry) {
  using google::protobuf::Message;
  using Config = typename Codec::ConfigMessage;
  entry.name = Text::Game::kName;
  entry.title = Text::kTitle;
  entry.make_screen = []() -> std::unique_ptr<GameScreen> { return std::make_unique<Screen>(); };
  entry.add_options = [](CLI::App& app) -> std::shared_ptr<Message> {
    auto config = std::make_shared<Config>();
    Text::add_options(app, *config);
    return config;
  };
  entry.simulate = [](const Message& config, const SimulateOptions& options) -> Expected<void> {
    const auto read = Codec::read(dynamic_cast<const Config&>(config));
    if (!read) return std::unexpected(read.error());
    return run_simulation<Text>(*read, options);
  };
  entry.play_tournament = [](const Message& config,
                             const TournamentOptions& options) -> Expected<void> {
    const auto read = Codec::read(dynamic_cast<const Config&>(config));
    if (!read) return std::unexpected(read.error());
    Config whole;
    Codec::write(*read, whole);
    google::protobuf::Any any;
    any.PackFrom(whole);
    return run_tournament<Text>(
        *read, options,
        [&options, config = any.SerializeAsString()](const std::string& name, MissedMoves& missed) {
          return std::make_unique<RemoteStrategy<Codec>>(*options.remote, missed, name, config);
        });
  };
  entry.hint = hint<Text>;
  return entry;
}

}  // namespace tesela::cli
