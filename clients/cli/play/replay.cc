#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/client/lobby_client.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "clients/cli/play/analysis.h"
#include "clients/cli/play/expect_terminal.h"
#include "clients/cli/play/replay_session.h"
#include "clients/cli/play/terminal.h"
#include "clients/cli/screen/seat_words.h"
#include "clients/cli/table/table_lines.h"

namespace tesela::cli {
namespace {

struct ReplayOptions {
  ServerAddress server;
  std::string table_id;
  std::string invite;
  std::uint64_t from_version = 0;
  bool plain = false;
  bool analyse = false;
  bool still = false;
};

Task<Expected<void>> replay_lines(ReplayOptions options, lobby::v1::Table table) {
  TableLines lines(std::cout);
  if (!lines.open(table.game())) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     "The game " + table.game() + " cannot be shown here yet.");
  }
  const play::v1::Seating seating = seating_of(table);
  lines.take(seating);
  std::optional<Analysis> analysis;
  if (options.analyse) {
    auto read = co_await Analysis::read(options.server, options.table_id);
    if (!read) co_return std::unexpected(std::move(read.error()));
    analysis = std::move(*read);
  }
  lobby::v1::ReplayRequest request;
  request.set_table_id(options.table_id);
  request.set_from_version(options.from_version);
  request.set_invite(options.invite);
  ReplayStream stream(options.server, std::move(request));
  for (;;) {
    const auto frame = co_await stream.next();
    if (!frame) co_return std::unexpected(frame.error());
    if (!*frame) break;
    if ((*frame)->has_event()) {
      // Before the event is told: the better move is of the position before.
      const Printed judged =
          analysis ? analysis->lines_of((*frame)->event().version(), lines) : Printed{};
      lines.tell((*frame)->event());
      print(std::cout, judged);
    } else {
      lines.tell((*frame)->snapshot());
    }
  }
  if (analysis) print(std::cout, analysis->summary(names_of(seating)));
  co_return Expected<void>{};
}

Task<Expected<void>> replay_screen(ReplayOptions options, lobby::v1::Table table) {
  const Executor executor = co_await boost::asio::this_coro::executor;
  Terminal terminal;
  ReplaySession::Options session_options{.server = options.server,
                                         .table = std::move(table),
                                         .invite = options.invite,
                                         .from_version = options.from_version,
                                         .animated = !options.still};
  ReplaySession session(executor, std::move(session_options), terminal);
  co_return co_await session.run();
}

bool is_plain(const ReplayOptions& options) {
  return options.plain || options.analyse || isatty(STDOUT_FILENO) == 0;
}

Task<Expected<void>> replay(ReplayOptions options) {
  LobbyClient client(options.server);
  auto table = co_await client.get_table(options.table_id);
  if (!table) co_return std::unexpected(table.error());
  if (is_plain(options)) co_return co_await replay_lines(std::move(options), std::move(*table));
  co_return co_await replay_screen(std::move(options), std::move(*table));
}

}  // namespace

void add_replay(CLI::App& app) {
  auto options = std::make_shared<ReplayOptions>();
  auto& replay_app = add_command(app, "replay", "Show a game again, move by move");
  add_server_option(replay_app, options->server);
  replay_app.add_option("table", options->table_id, "The table's id")->required();
  replay_app
      .add_option("--invite", options->invite,
                  "The table's invite, when it is private, while the game is in play")
      ->type_name("CODE");
  replay_app.add_option("--from", options->from_version, "The version to begin with")
      ->type_name("N");
  replay_app.add_flag("--plain", options->plain, "Print a line a move");
  replay_app.add_flag("--analyse", options->analyse,
                      "Print a line a move, the worth of each, and better ones");
  replay_app.add_flag("--still", options->still, "Do not animate");
  replay_app.callback([options] {
    if (!is_plain(*options)) expect_terminal();
    if (const auto shown = await(replay(*options)); !shown) fail(shown.error().message);
  });
}

}  // namespace tesela::cli
