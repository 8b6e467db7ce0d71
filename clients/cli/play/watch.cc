#include "clients/cli/play/watch.h"

#include <unistd.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <random>
#include <string>

#include "clients/cli/base/fail.h"
#include "clients/cli/client/await.h"
#include "clients/cli/client/server_option.h"
#include "clients/cli/play/play_session.h"
#include "clients/cli/play/terminal.h"
#include "clients/cli/play/watch_lines.h"

namespace tesela::cli {
namespace {

struct WatchOptions {
  ServerAddress server;
  std::string table_id;
  std::string invite;
  bool plain = false;
  bool still = false;
};

StreamClient::Options stream_options(const WatchOptions& options) {
  return {.server = options.server,
          .table_id = options.table_id,
          .token = {},
          .invite = options.invite,
          .spectate = true,
          .random_seed = std::random_device{}()};
}

Task<Expected<void>> watch_lines(WatchOptions options) {
  const Executor executor = co_await boost::asio::this_coro::executor;
  WatchLines lines(executor, stream_options(options), std::cout, std::cerr);
  co_return co_await lines.run();
}

Task<Expected<void>> watch_screen(WatchOptions options) {
  const Executor executor = co_await boost::asio::this_coro::executor;
  auto terminal = Terminal::open();
  if (!terminal) co_return std::unexpected(terminal.error());
  PlaySession::Options session_options;
  session_options.stream = stream_options(options);
  session_options.animated = !options.still;
  PlaySession session(executor, std::move(session_options), **terminal);
  co_await session.run();
  co_return Expected<void>{};
}

void run_command(const WatchOptions& options) {
  const bool plain = options.plain || isatty(STDOUT_FILENO) == 0;
  if (const auto watched = await(plain ? watch_lines(options) : watch_screen(options)); !watched) {
    fail(watched.error().message);
  }
}

}  // namespace

void add_watch(CLI::App& app) {
  auto options = std::make_shared<WatchOptions>();
  auto& watch = *app.add_subcommand("watch", "Watch a table");
  add_server_option(watch, options->server);
  watch.add_option("table", options->table_id, "The table's id")->required();
  watch.add_option("--invite", options->invite, "The table's invite, when it is private")
      ->type_name("CODE");
  watch.add_flag("--plain", options->plain, "Print a line a move, until the game is over");
  watch.add_flag("--still", options->still, "Do not animate");
  watch.callback([options] { run_command(*options); });
}

}  // namespace tesela::cli
