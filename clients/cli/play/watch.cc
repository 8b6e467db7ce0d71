#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/stream_client.h"
#include "clients/cli/client/task.h"
#include "clients/cli/play/expect_terminal.h"
#include "clients/cli/play/play_session.h"
#include "clients/cli/play/terminal.h"
#include "clients/cli/table/table_lines.h"
#include "clients/cli/table/table_talk.h"

namespace tesela::cli {
namespace {

/// Prints a table that is watched. One thread; `out` and `notes` outlive it.
class WatchLines final : public StreamListener {
 public:
  /// Positions go to `out`; messages about the connection and the chat go to `notes`.
  WatchLines(Executor executor, StreamClient::Options stream, std::ostream& out,
             std::ostream& notes);

  /// Runs until the game is over. An error when the stream ended before.
  Task<Expected<void>> run();

  void on_link(const Link& link) override;
  void on_welcome(const play::v1::Welcome& welcome) override;
  void on_snapshot(const play::v1::Snapshot& snapshot) override;
  void on_event(const play::v1::Event& event) override;
  void on_seating(const play::v1::Seating& seating) override;
  void on_clocks(const play::v1::Clocks& clocks) override;
  void on_said(const play::v1::Said& said) override;
  void on_announcement(const std::string& text) override;
  void on_refusal(const play::v1::Refusal& refusal) override;

 private:
  Task<void> until_over();
  void end_with(bool over);

  StreamClient client_;
  TableLines lines_;
  std::ostream& notes_;
  Timer over_;  // cancelled when the game is over
  bool is_over_ = false;
  std::string closed_because_;
};

WatchLines::WatchLines(Executor executor, StreamClient::Options stream, std::ostream& out,
                       std::ostream& notes)
    : client_(executor, std::move(stream), *this),
      lines_(out),
      notes_(notes),
      over_(executor, Timer::time_point::max()) {}

Task<Expected<void>> WatchLines::run() {
  co_await until_one_ends(client_.run(), until_over());
  if (is_over_) co_return Expected<void>{};
  co_return refuse(ErrorCode::kUnavailable, closed_because_);
}

Task<void> WatchLines::until_over() {
  co_await over_.async_wait(kResult);
}

void WatchLines::on_link(const Link& link) {
  if (link.phase == Link::Phase::kWaiting) print(notes_, "{} Trying again.\n", link.why);
  if (link.phase == Link::Phase::kClosed) closed_because_ = link.why;
}

void WatchLines::on_welcome(const play::v1::Welcome& welcome) {
  on_seating(welcome.seating());
  if (lines_.open(welcome.game())) return;
  print(notes_, "The game {} cannot be shown here yet.\n", welcome.game());
}

void WatchLines::on_snapshot(const play::v1::Snapshot& snapshot) {
  lines_.tell(snapshot);
  end_with(snapshot.has_result());
}

void WatchLines::on_event(const play::v1::Event& event) {
  lines_.tell(event);
  end_with(event.has_result());
}

void WatchLines::on_seating(const play::v1::Seating& seating) {
  lines_.take(seating);
}

void WatchLines::on_clocks(const play::v1::Clocks&) {}

void WatchLines::on_said(const play::v1::Said& said) {
  print(notes_, "{}\n", said_words(said));
}

void WatchLines::on_announcement(const std::string& text) {
  if (!text.empty()) print(notes_, "{}\n", announced_words(text));
}

void WatchLines::on_refusal(const play::v1::Refusal&) {}

void WatchLines::end_with(bool over) {
  if (!over) return;
  is_over_ = true;
  over_.cancel();
}

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
  Terminal terminal;
  PlaySession::Options session_options;
  session_options.stream = stream_options(options);
  session_options.animated = !options.still;
  PlaySession session(executor, std::move(session_options), terminal);
  co_await session.run();
  co_return Expected<void>{};
}

void run_command(const WatchOptions& options) {
  const bool plain = options.plain || isatty(STDOUT_FILENO) == 0;
  if (!plain) expect_terminal();
  if (const auto watched = await(plain ? watch_lines(options) : watch_screen(options)); !watched) {
    fail(watched.error().message);
  }
}

}  // namespace

void add_watch(CLI::App& app) {
  auto options = std::make_shared<WatchOptions>();
  auto& watch = add_command(app, "watch", "Watch a table");
  add_server_option(watch, options->server);
  watch.add_option("table", options->table_id, "The table's id")->required();
  watch.add_option("--invite", options->invite, "The table's invite, when it is private")
      ->type_name("CODE");
  watch.add_flag("--plain", options->plain, "Print a line a move, until the game is over");
  watch.add_flag("--still", options->still, "Do not animate");
  watch.callback([options] { run_command(*options); });
}

}  // namespace tesela::cli
