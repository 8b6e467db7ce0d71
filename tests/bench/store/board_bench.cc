// How long it takes to find a player's place on a board with many lines, and the lines around it;
// and to sign one of as many players in, to read a profile, to find players by their handles, to
// follow one, to list friends, and to make and decline a challenge.
//
//   board_bench [--lines N] [--asks N] [--database URL]

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "server/store/backend/backend.h"

namespace {

using namespace tesela;
using namespace tesela::store;
using Clock = std::chrono::steady_clock;

struct Options {
  std::uint64_t lines{200'000};
  std::size_t asks{2000};
  std::filesystem::path folder{"board_bench.data"};
  std::string database;
};

constexpr std::uint64_t kSignIns = 64;       // at once
constexpr std::uint64_t kLinesOfGame = 500;  // that one ending changes
constexpr std::size_t kPage = 11;

BoardKey best() {
  return {.kind = BoardKind::kBest, .game = "2048", .config = "config"};
}

std::string code_of(std::uint64_t id) {
  return "code" + std::to_string(id);
}
/// As a player's, and as its key.
std::string handle_of(std::uint64_t id) {
  return "p" + std::to_string(id * 7'919);
}

template <class T>
void expect(const Expected<T>& answer) {
  if (!answer) std::fprintf(stderr, "%s\n", answer.error().message.c_str());
}

/// Every kSignIns-th player from `first` on: a member with a handle.
boost::asio::awaitable<void> sign_in(Backend& backend, std::uint64_t first, std::uint64_t lines) {
  for (std::uint64_t id = first; id <= lines; id += kSignIns) {
    PlayerRow player{.id = PlayerId{id}, .display_name = "Guest"};
    SessionRow session{.id = SessionId{id}, .player = PlayerId{id}, .device = "Firefox"};
    expect(co_await backend.accounts().add_guest(std::move(player), std::move(session)));
    CredentialRow code{.id = code_of(id),
                       .player = PlayerId{id},
                       .kind = CredentialKind::kRecoveryCode,
                       .secret = "hash"};
    expect(co_await backend.accounts().add_credential(std::move(code)));
    HandleClaim claim{.player = PlayerId{id}, .handle = handle_of(id), .key = handle_of(id)};
    expect(co_await backend.profiles().claim_handle(std::move(claim)));
  }
}

/// Gives every player a score, by games that are over as they begin. Many have the same.
boost::asio::awaitable<void> play(TableRows& table_rows, std::uint64_t lines) {
  std::mt19937_64 random(7);
  std::uint64_t player = 0;
  for (std::uint64_t game = 1; player < lines; ++game) {
    GameOutcome outcome{.game = "2048"};
    while (player < lines && outcome.scores.size() < kLinesOfGame) {
      outcome.scores.push_back(
          {best(), PlayerId{++player}, static_cast<std::int64_t>(4 * (random() % 20'000))});
    }
    TableRow row;
    row.id = TableId{game};
    row.game = "2048";
    row.owner = PlayerId{1};
    row.state = TableState::kOver;
    row.ending = Ending{.result = "r", .ended_ms = static_cast<std::int64_t>(game)};
    std::string record = "record";
    const auto added =
        co_await table_rows.add_table(std::move(row), std::move(record), std::move(outcome));
    if (!added) std::fprintf(stderr, "%s\n", added.error().message.c_str());
  }
}

/// Something that is done for one player.
using Deed = std::function<boost::asio::awaitable<void>(Backend&, std::uint64_t)>;

boost::asio::awaitable<void> lines_around(Backend& backend, std::uint64_t id) {
  BoardRange range{.max = kPage};
  range.around = PlayerId{id};
  BoardKey key = best();
  const auto found = co_await backend.store().board(std::move(key), range);
  if (!found || found->empty()) std::fprintf(stderr, "no lines\n");
}

boost::asio::awaitable<void> sign_in_again(Backend& backend, std::uint64_t id) {
  static std::uint64_t session = std::uint64_t{1} << 40;
  SessionRow row{.id = SessionId{++session}, .player = PlayerId{id}, .device = "Phone"};
  CredentialUse use{.id = code_of(id), .secret = "hash"};
  expect(co_await backend.accounts().add_session(std::move(row), std::move(use), 0));
}

/// What GetProfile reads of a game.
boost::asio::awaitable<void> read_profile(Backend& backend, std::uint64_t id) {
  const auto player = co_await backend.profiles().holder(handle_of(id));
  expect(player);
  expect(co_await backend.store().rating("azul", PlayerId{id}));
  expect(co_await backend.profiles().rating_days("azul", PlayerId{id}, Day{}));
  expect(co_await backend.profiles().newest_scores(PlayerId{id}, 100, 1200));
}

boost::asio::awaitable<void> find_players(Backend& backend, std::uint64_t id) {
  expect(co_await backend.profiles().holders(handle_of(id).substr(0, 3), 10));
}

PlayerId neighbour_of(std::uint64_t id) {
  return PlayerId{id == 1 ? 2 : id - 1};
}

boost::asio::awaitable<void> follow(Backend& backend, std::uint64_t id) {
  expect(co_await backend.friends().follow(PlayerId{id}, neighbour_of(id), 1));
}

boost::asio::awaitable<void> list_friends(Backend& backend, std::uint64_t id) {
  expect(co_await backend.friends().friends(PlayerId{id}));
}

boost::asio::awaitable<void> challenge(Backend& backend, std::uint64_t id) {
  static std::uint64_t made = 0;
  const std::string challenge = std::to_string(++made);
  ChallengeRow row{.id = challenge,
                   .from = {.id = PlayerId{id}, .name = {}},
                   .to = NamedPlayer{.id = neighbour_of(id), .name = {}},
                   .game = "azul",
                   .created_ms = 1,
                   .expires_ms = 1000};
  expect(co_await backend.friends().add_challenge(std::move(row)));
  expect(co_await backend.friends().decline_challenge(challenge, neighbour_of(id), 2));
}

boost::asio::awaitable<void> repeat(Backend& backend, const Options& options, const Deed& deed,
                                    std::vector<double>& times) {
  std::mt19937_64 random(8);
  while (times.size() < options.asks) {
    const std::uint64_t id = 1 + random() % options.lines;
    const auto begin = Clock::now();
    co_await deed(backend, id);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  }
}

int run(const Options& options) {
  std::filesystem::remove_all(options.folder);
  boost::asio::io_context io{1};  // before the backend: a store's callers outlive it
  auto opened = open_backend({.folder = options.folder, .database = options.database});
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message.c_str());
    return 1;
  }
  Backend& backend = **opened;
  const auto wait = [&io] {
    io.run();
    io.restart();
  };
  for (std::uint64_t first = 1; first <= kSignIns; ++first) {
    boost::asio::co_spawn(io, sign_in(backend, first, options.lines), boost::asio::detached);
  }
  wait();
  boost::asio::co_spawn(io, play(backend.table_rows(), options.lines), boost::asio::detached);
  wait();
  const std::pair<const char*, Deed> deeds[]{
      {"the lines around a player, right after the games", lines_around},
      {"the same later", lines_around},
      {"a sign-in", sign_in_again},
      {"a profile", read_profile},
      {"players by the beginning of a handle", find_players},
      {"a follow", follow},
      {"a list of friends", list_friends},
      {"a challenge and its answer", challenge}};
  for (const auto& [what, deed] : deeds) {
    std::vector<double> times;
    boost::asio::co_spawn(io, repeat(backend, options, deed, times), boost::asio::detached);
    wait();
    std::ranges::sort(times);
    const auto at = [&times](std::size_t percent) {
      return times[(times.size() - 1) * percent / 100];
    };
    std::printf("of %llu, %s: p50 %.2f ms  p99 %.2f ms  max %.2f ms\n",
                static_cast<unsigned long long>(options.lines), what, at(50), at(99), times.back());
  }
  opened->reset();
  std::filesystem::remove_all(options.folder);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Places on a board with many lines");
  app.add_option("--lines", options.lines, "Lines of the board")->capture_default_str();
  app.add_option("--asks", options.asks, "How often a place is asked for")->capture_default_str();
  app.add_option("--data", options.folder, "Folder, removed afterwards")->capture_default_str();
  app.add_option("--database", options.database, "An empty database, postgres://…, or SQLite");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
