// The option --server, the same in every subcommand that needs one.
#pragma once

#include "clients/cli/client/server_address.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tesela::cli {

/// `--server HOST:PORT` for what operators ask. Where TESELA_OPS_PORT is in the environment, as it
/// is beside a server that has it from there, the default is that port of this machine; else all is
/// as below.
CLI::Option* add_ops_server_option(CLI::App& app, ServerAddress& address);

/// `--server HOST:PORT`, or TESELA_SERVER from the environment. `address` outlives the parsing, and
/// holds the default before it.
CLI::Option* add_server_option(CLI::App& app, ServerAddress& address);

}  // namespace tesela::cli
