// The terminal program's stream client in the place of an author's program, for the cases that
// every client library passes: plays games of 2048, several at once, and prints a line a game with
// what it was shown and what its moves became.
//
//   client_author URL GAMES MOVES
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "clients/cli/client/lobby_client.h"
#include "clients/cli/client/stream_client.h"
#include "tesela/game/v1/g2048.pb.h"

namespace tesela::cli {
namespace {

using game::v1::Game2048Event;
using game::v1::Game2048View;

/// Plays at one table until the game is over or has had so many moves.
class Author final : public StreamListener {
 public:
  Author(Executor executor, StreamClient::Options options, std::size_t most)
      : most_(most),
        over_(executor, Timer::time_point::max()),
        line_{{"tableId", options.table_id},
              {"shown", nlohmann::json::array()},
              {"told", nlohmann::json::array()}},
        client_(executor, std::move(options), *this) {}

  /// The number of moves that were made.
  Task<std::size_t> play() {
    co_await ends_first(client_.run(), until_over());
    std::cout << line_.dump() << '\n';
    co_return line_["told"].size();
  }

 private:
  void on_link(const Link& link) override {
    if (link.phase == Link::Phase::kClosed) die(link.why);
  }
  void on_welcome(const play::v1::Welcome& /*welcome*/) override {}
  void on_snapshot(const play::v1::Snapshot& snapshot) override {
    line_["shown"].push_back("position " + std::to_string(snapshot.version()));
    Game2048View view;
    snapshot.view().UnpackTo(&view);
    go_on(view, snapshot.has_result());
  }
  void on_event(const play::v1::Event& event) override {
    line_["shown"].push_back(std::to_string(event.version()));
    line_["told"].push_back({event.move_id(), std::to_string(event.version())});
    Game2048Event what;
    event.body().UnpackTo(&what);
    go_on(what.view(), event.has_result());
  }
  void on_seating(const play::v1::Seating& /*seating*/) override {}
  void on_clocks(const play::v1::Clocks& /*clocks*/) override {}
  void on_said(const play::v1::Said& /*said*/) override {}
  void on_refusal(const play::v1::Refusal& refusal) override { die(refusal.message()); }

  void go_on(const Game2048View& view, bool is_over) {
    const std::size_t moves = line_["told"].size();
    if (is_over || moves == most_) {
      over_.cancel();
      return;
    }
    game::v1::Game2048Move move;
    move.set_direction(view.legal(static_cast<int>(moves) % view.legal_size()));
    google::protobuf::Any body;
    body.PackFrom(move);
    // While the events of an earlier connection come, the last move is still unanswered.
    if (!client_.unanswered() && !client_.play(std::move(body))) die("a move was not sent");
  }

  Task<void> until_over() { co_await over_.async_wait(kResult); }

  [[noreturn]] static void die(const std::string& why) {
    std::cerr << why << '\n';
    std::exit(1);
  }

  const std::size_t most_;
  Timer over_;
  nlohmann::json line_;
  StreamClient client_;
};

/// A call may be cut off too, and is made again.
template <class Call>
auto insist(Executor executor, Call call) -> decltype(call()) {
  for (;;) {
    auto answer = co_await call();
    if (answer) co_return answer;
    Timer timer(executor, std::chrono::milliseconds{50});
    co_await timer.async_wait(kResult);
  }
}

Task<void> play_games(Executor executor, ServerAddress server, std::uint64_t number,
                      std::size_t moves) {
  LobbyClient lobby(server);
  const auto player =
      co_await insist(executor, [&] { return lobby.sign_in("Author " + std::to_string(number)); });
  lobby.authorise(player->token());
  lobby::v1::CreateTableRequest request;
  request.set_game("2048");
  while (moves > 0) {
    const auto table = co_await insist(executor, [&] { return lobby.create_table(request); });
    Author author(executor,
                  {.server = server,
                   .table_id = table->table_id(),
                   .token = player->token(),
                   .random_seed = number + 1},
                  moves);
    moves -= co_await author.play();
  }
}

int run(std::span<char*> arguments) {
  const auto server = parse_server_address(arguments[1]);
  const int games = std::atoi(arguments[2]);
  boost::asio::io_context io{1};
  for (int number = 0; number < games; ++number) {
    boost::asio::co_spawn(io,
                          play_games(io.get_executor(), *server, static_cast<std::uint64_t>(number),
                                     static_cast<std::size_t>(std::atoi(arguments[3]))),
                          [](const std::exception_ptr& failure) {
                            if (failure) std::rethrow_exception(failure);
                          });
  }
  io.run();
  return 0;
}

}  // namespace
}  // namespace tesela::cli

int main(int argc, char** argv) {
  return tesela::cli::run({argv, static_cast<std::size_t>(argc)});
}
