// The subcommands that play at a table of a server, or show what was played.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

// Each adds the subcommand of its name to `app`.
void add_board(CLI::App& app);
void add_find(CLI::App& app);
void add_finished_games(CLI::App& app);  // tesela games
void add_play(CLI::App& app);
void add_replay(CLI::App& app);
void add_watch(CLI::App& app);

}  // namespace tesela::cli
