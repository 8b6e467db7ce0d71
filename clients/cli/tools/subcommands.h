// The subcommands that need no server: bots that play here, and checks of rules and records.
#pragma once

namespace CLI {
class App;
}

namespace tesela::cli {

// Each adds the subcommand of its name to `app`.
void add_bots(CLI::App& app);
void add_hint(CLI::App& app);
void add_rules(CLI::App& app);
void add_simulate(CLI::App& app);
void add_solve(CLI::App& app);
void add_tournament(CLI::App& app);
void add_train(CLI::App& app);
void add_verify(CLI::App& app);

}  // namespace tesela::cli
