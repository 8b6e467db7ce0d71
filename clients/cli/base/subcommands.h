// The subcommands of the program.
#pragma once

#include <functional>
#include <span>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tesela::cli {

// A source that includes <CLI/CLI.hpp> compiles the printing of help and the reading of files,
// seconds of each build. What suffices with these needs only this header.

/// Makes the program's options, parses the arguments and runs the subcommand that they name. Gives
/// the exit code.
int run_program(int argc, char** argv, std::span<void (*const)(CLI::App&)> subcommands);

/// CLI::App::add_subcommand.
CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& about);

struct TextOption {
  std::string name{};
  std::string about{};
  std::string type{};      // of its value, in the help
  std::string initial{};   // what holds without it, in the help
  std::string variable{};  // of the environment, read when the option is missing; empty: none
};
/// An option whose value goes to `take`.
CLI::Option* add_text_option(CLI::App& app, const TextOption& option,
                             std::function<void(const std::string&)> take);
/// Refuses the value of an option; called by `take`.
[[noreturn]] void refuse_option(const std::string& name, const std::string& sentence);

// Each of these adds the subcommand of its name to `app`.

// Play at a table of a server, or show its games.
void add_board(CLI::App& app);
void add_find(CLI::App& app);
void add_finished_games(CLI::App& app);  // tesela games
void add_play(CLI::App& app);
void add_replay(CLI::App& app);
void add_watch(CLI::App& app);

// The player's own account, and what is known of players.
void add_account(CLI::App& app);
void add_friends(CLI::App& app);
void add_profile(CLI::App& app);

// Need no server: bots that play here, and checks of rules and records.
void add_bots(CLI::App& app);
void add_hint(CLI::App& app);
void add_rules(CLI::App& app);
void add_simulate(CLI::App& app);
void add_solve(CLI::App& app);
void add_tournament(CLI::App& app);
void add_train(CLI::App& app);
void add_verify(CLI::App& app);

// For operators: the commands of AdminService, and whether a server is ready.
void add_admin(CLI::App& app);
void add_health(CLI::App& app);

}  // namespace tesela::cli
