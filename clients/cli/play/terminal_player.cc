#include "clients/cli/play/terminal_player.h"

#include <google/protobuf/util/time_util.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <utility>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/value_text.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "clients/cli/play/expect_terminal.h"

namespace tesela::cli {
namespace {

using google::protobuf::util::TimeUtil;

/// A token that expires in less than this is renewed at the next start.
constexpr int kRenewHoursBefore = 7 * 24;

std::string default_name() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets the environment here
  const char* user = std::getenv("USER");
  return user != nullptr && *user != '\0' ? user : "guest";
}

/// Destroys the player with its coroutine, before the io_context that its sockets belong to.
Task<Expected<Printed>> play_to_the_end(std::unique_ptr<TerminalPlayer> player) {
  co_return co_await player->play();
}

}  // namespace

void add_terminal_options(CLI::App& app, TerminalOptions& options) {
  options.name = default_name();
  add_server_option(app, options.server);
  app.add_option("--name", options.name, "Your name for others, when you are new to the server");
  app.add_flag("--still", options.still, "Do not animate");
}

TerminalPlayer::TerminalPlayer(TerminalOptions options)
    : options_(std::move(options)),
      file_(state_directory(), options_.server),
      notes_(state_directory()),
      lobby_(options_.server) {}

Task<Expected<void>> TerminalPlayer::sign_in(bool anew) {
  auto known = anew ? std::nullopt : file_.load();
  auto secret = file_.device_secret();
  if (!secret) co_return std::unexpected(std::move(secret.error()));
  if (!known) {
    auto made = co_await lobby_.sign_in(options_.name, std::move(*secret));
    if (!made) co_return std::unexpected(made.error());
    if (auto saved = file_.save(*made); !saved) co_return saved;
    known = std::move(*made);
  } else if (known->expires_at() <
             TimeUtil::GetCurrentTime() + TimeUtil::HoursToDuration(kRenewHoursBefore)) {
    if (auto renewed = co_await renew(*known, std::move(*secret)); !renewed) co_return renewed;
  }
  identity_ = std::move(*known);
  lobby_.authorise(identity_.token());
  co_return Expected<void>{};
}

/// A refusal is ignored, because the old token is still valid: the next start tries again.
Task<Expected<void>> TerminalPlayer::renew(lobby::v1::SignInResponse& known, std::string secret) {
  lobby_.authorise(known.token());
  auto fresh = co_await lobby_.renew_token(std::move(secret));
  if (!fresh) co_return Expected<void>{};
  known.set_token(fresh->token());
  *known.mutable_expires_at() = fresh->expires_at();
  co_return file_.save(known);
}

Task<TerminalPlayer::NextTable> TerminalPlayer::next_table() {
  auto table = co_await sit_down();
  if (table || table.error().code != ErrorCode::kUnauthenticated) co_return table;
  // The server does not know the token, for example because its data are new.
  if (auto signed_in = co_await sign_in(true); !signed_in) {
    co_return std::unexpected(signed_in.error());
  }
  co_return co_await sit_down();
}

Task<Expected<lobby::v1::Table>> TerminalPlayer::ask_for(PlaySession::Command command,
                                                         const PlaySession& session) {
  if (command == PlaySession::Command::kStart) return lobby_.start_table(session.table_id());
  if (command == PlaySession::Command::kRematch) return lobby_.rematch_table(session.table_id());
  return lobby_.free_seat(session.table_id(), session.seat().value_or(0));
}

/// A refusal is shown at the table where the command was given.
Task<TerminalPlayer::NextTable> TerminalPlayer::table_after(PlaySession::Command command,
                                                            const PlaySession& session) {
  if (command == PlaySession::Command::kNewGame) {
    move_on(session);
    co_return co_await next_table();
  }
  auto table = co_await ask_for(command, session);
  if (!table) {
    news_ = table.error().message;
    table = co_await lobby_.get_table(session.table_id());
  } else if (command == PlaySession::Command::kLeave) {
    co_return std::nullopt;
  }
  if (!table) co_return std::unexpected(table.error());
  co_return std::move(*table);
}

/// Adds the player's contribution to the dice: the second step of a fair game. A failure is shown
/// at the table, which waits for the contribution.
Task<void> TerminalPlayer::add_to_dice(lobby::v1::Table table) {
  const auto own =
      std::ranges::find(table.seats(), identity_.player_id(), &play::v1::SeatOccupant::player_id);
  if (own == table.seats().end() || own->contribution() != play::v1::CONTRIBUTION_STATE_AWAITED) {
    co_return;
  }
  const Seed drawn = random_seed();
  const DiceNote note{.table_id = table.table_id(),
                      .commitment = table.commitment(),
                      .contribution = {drawn.begin(), drawn.end()}};
  const auto added = co_await lobby_.contribute(note.table_id, note.contribution);
  const auto noted = added ? notes_.add(note) : Expected<void>(std::unexpected(added.error()));
  if (!noted) news_ = noted.error().message;
}

PlaySession::Options TerminalPlayer::session_at(const lobby::v1::Table& table) const {
  return {.stream = {.server = options_.server,
                     .table_id = table.table_id(),
                     .token = identity_.token(),
                     .invite = table.invite(),
                     .spectate = false,
                     .random_seed = std::random_device{}()},
          .table = table.options(),
          .news = news_,
          .animated = !options_.still};
}

Task<Expected<Printed>> TerminalPlayer::play() {
  const Executor executor = co_await boost::asio::this_coro::executor;
  terminal_.emplace();
  if (auto signed_in = co_await sign_in(false); !signed_in) {
    co_return std::unexpected(signed_in.error());
  }
  Printed exit_text;
  auto table = co_await next_table();
  for (;;) {
    if (!table) co_return std::unexpected(table.error());
    if (!*table) co_return exit_text;
    co_await add_to_dice(**table);
    PlaySession session(executor, session_at(**table), *terminal_);
    news_.clear();
    const auto command = co_await session.run();
    exit_text = session.exit_text();
    if (command == PlaySession::Command::kQuit) co_return exit_text;
    if (command == PlaySession::Command::kLeave) {
      exit_text = Printed::of("You have left the table.\n");
    }
    table = co_await table_after(command, session);
  }
}

void play_on_terminal(std::unique_ptr<TerminalPlayer> player) {
  expect_terminal();
  print(std::cout, value_or_fail(await(play_to_the_end(std::move(player)))));
}

}  // namespace tesela::cli
