// The subcommands of the program.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

// Each adds the subcommand of its name to `app`.

// Play at a table of a server, or show what was played.
void add_board(CLI::App& app);
void add_find(CLI::App& app);
void add_finished_games(CLI::App& app);  // tesela games
void add_play(CLI::App& app);
void add_replay(CLI::App& app);
void add_watch(CLI::App& app);

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
