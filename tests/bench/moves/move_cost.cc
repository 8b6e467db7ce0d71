// A game of 2048 that is the same in every run, played by a player before a spectator through the
// real server code: sockets of the loopback, the streams, one table, and a log that is synced.
// move_cost.py runs it under callgrind, twice with different numbers of moves.
//
//   move_cost [--moves N] [--folder DIR] [--json]

#include <google/protobuf/util/json_util.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <tesela/game/v1/g2048.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/accounts/tokens.h"
#include "server/base/clock.h"
#include "server/base/io_pool.h"
#include "server/base/text_encoding.h"
#include "server/bots/bot_threads.h"
#include "server/bots/bots.h"
#include "server/bots/remote_bots.h"
#include "server/directory/directory.h"
#include "server/directory/lobby/table_feed.h"
#include "server/metrics/metrics.h"
#include "server/quota/admission_control.h"
#include "server/replay/start_game.h"
#include "server/store/backend/backend.h"
#include "server/stream/stream_server.h"

namespace {

using namespace tesela;
namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace pb = tesela::play::v1;
namespace protobuf = google::protobuf;
using asio::ip::tcp;

constexpr PlayerId kPlayer{77};
// A game of this seed lasts longer than a thousand moves by `choose`.
constexpr char kSeedByte = '\x02';

template <class T>
T need(Expected<T> value) {
  if (!value) throw std::runtime_error(value.error().message);
  return std::move(*value);
}

void need(const Expected<void>& done) {
  if (!done) throw std::runtime_error(done.error().message);
}

/// The server without its ports: the members are in the order of their dependencies.
class TestServer {
 public:
  explicit TestServer(const std::filesystem::path& folder)
      : backend_(need(store::open_backend({.folder = folder,
                                           // After a pause of the machine the game goes on.
                                           .on_life_state = [this](auto, auto) {
                                             if (auto* live = live_.load()) live->thaw();
                                           }}))) {
    live_ = &directory_;
    directory_.thaw();
    io_.run();
    wait(bots::add_bot_accounts(backend_->store()));
    store::PlayerRow player{.id = kPlayer, .display_name = "Ana", .created_ms = 1};
    need(wait(backend_->store().add_player(std::move(player))));
    table_ = make_table();
  }

  ~TestServer() {
    wait(directory_.close_all());
    wait(streams_.ended());
    backend_->close();
    io_.stop();
    io_.join();
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  /// The client's end of a new stream at the table.
  tcp::socket connect(const char* sub_protocol) {
    tcp::acceptor acceptor(accepting_, {asio::ip::address_v4::loopback(), 0});
    tcp::socket near(accepting_);
    near.connect(acceptor.local_endpoint());
    near.set_option(tcp::no_delay(true));
    net::Transport far(acceptor.accept(), {});
    stream::UpgradeRequest request(http::verb::get,
                                   "/v1/tables/" + base::to_text(table_) + "/stream", 11);
    request.set(http::field::host, "bench");
    request.set(http::field::connection, "Upgrade");
    request.set(http::field::upgrade, "websocket");
    request.set(http::field::sec_websocket_version, "13");
    request.set(http::field::sec_websocket_key, "dGhlIHNhbXBsZSBub25jZQ==");
    request.set(http::field::sec_websocket_protocol, sub_protocol);
    net::Client client;
    client.quota = admission_.address(asio::ip::address_v4::loopback());
    streams_.upgrade(std::move(far), std::move(request), std::move(client));
    return near;
  }

  [[nodiscard]] std::string token() const {
    return tokens_.issue({.player = kPlayer, .display_name = "Ana"}).token;
  }

 private:
  template <class T>
  T wait(asio::awaitable<T> work) {
    return asio::co_spawn(io_.at(0), std::move(work), asio::use_future).get();
  }

  TableId make_table() {
    auto prepared = need(directory::prepare(
        {.owner = kPlayer, .owner_name = "Ana", .game = "2048", .id = TableId{4711}}));
    prepared.row.seed.assign(prepared.row.seed.size(), kSeedByte);
    auto started = need(replay::start_game(prepared.row, base::unix_ms()));
    store::TableRow row = prepared.row;
    need(wait(backend_->table_rows().add_table(std::move(row), std::move(started.record),
                                               std::move(prepared.outcome))));
    const TableId id = prepared.row.id;
    wait(directory_.begin(std::move(prepared.row)));
    return id;
  }

  metrics::Metrics metrics_;
  std::atomic<directory::Directory*> live_{nullptr};
  std::unique_ptr<store::Backend> backend_;
  accounts::Tokens tokens_{std::string(32, 'k'), std::chrono::hours{1}};
  quota::AdmissionControl admission_{{}, metrics_};
  asio::io_context accepting_;
  base::IoPool io_{1};
  directory::TableFeed feed_;
  bots::BotThreads bots_{{.threads = 1, .time_max = std::chrono::milliseconds{1}}, metrics_};
  bots::RemoteBots remote_bots_{{.time_max = std::chrono::seconds{1}}, metrics_};
  directory::Directory directory_{{.io = io_,
                                   .log = backend_->log(),
                                   .snapshots = backend_->snapshots(),
                                   .table_rows = backend_->table_rows(),
                                   .store = backend_->store(),
                                   .ownership = backend_->ownership(),
                                   .life = backend_->life(),
                                   .feed = feed_,
                                   .metrics = metrics_,
                                   .bots = bots_,
                                   .remote_bots = remote_bots_,
                                   .bot_pace = std::chrono::milliseconds{0},
                                   .table_idle = std::chrono::hours{1},
                                   .frames_per_second_max = 0}};
  stream::StreamServer streams_{io_,
                                {.directory = directory_,
                                 .tokens = tokens_,
                                 .metrics = metrics_,
                                 .ping_interval = std::chrono::hours{1},
                                 .frames_per_second_max = 0,
                                 .admission = admission_,
                                 .friends = backend_->friends()}};
  TableId table_;
};

/// A client: blocking, and no more of a WebSocket than it needs.
class Client {
 public:
  Client(TestServer& server, std::string token, bool json)
      : socket_(server.connect(json ? "tesela.v1.json" : "tesela.v1.proto")), json_{json} {
    while (buffer_.find("\r\n\r\n") == std::string::npos) receive();
    buffer_.erase(0, buffer_.find("\r\n\r\n") + 4);
    pb::ClientFrame hello;
    hello.mutable_hello()->set_spectate(token.empty());
    hello.mutable_hello()->set_token(std::move(token));
    send(hello);
  }

  void send(const pb::ClientFrame& frame) {
    const std::string payload = encoded(frame);
    std::string message = json_ ? "\x81" : "\x82";
    if (payload.size() < 126) {
      message += static_cast<char>(0x80 | payload.size());
    } else {
      message += "\xfe";
      message += static_cast<char>(payload.size() >> 8);
      message += static_cast<char>(payload.size() & 0xff);
    }
    message.append(4, '\0').append(payload);  // masked with zeros
    sent_bytes_ += message.size();
    asio::write(socket_, asio::buffer(message));
  }

  pb::ServerFrame read() {
    std::size_t size = static_cast<unsigned char>(take(2)[1]);
    if (size == 126) {
      const std::string bytes = take(2);
      size = std::size_t{static_cast<unsigned char>(bytes[0])} << 8 |
             static_cast<unsigned char>(bytes[1]);
    }
    return decoded(take(size));
  }

  /// Reads up to the next frame with a position, and returns the legal moves.
  std::vector<game::v1::Direction> legal() {
    for (;;) {
      const pb::ServerFrame frame = read();
      if (frame.has_refusal()) throw std::runtime_error(frame.refusal().message());
      if (frame.has_goodbye()) throw std::runtime_error(frame.goodbye().message());
      game::v1::Game2048View view;
      if (frame.has_event()) {
        game::v1::Game2048Event event;
        frame.event().body().UnpackTo(&event);
        view = event.view();
      } else if (frame.has_snapshot()) {
        frame.snapshot().view().UnpackTo(&view);
      } else {
        continue;
      }
      std::vector<game::v1::Direction> moves;
      for (const int move : view.legal()) moves.push_back(static_cast<game::v1::Direction>(move));
      return moves;
    }
  }

  [[nodiscard]] std::size_t sent_bytes() const { return sent_bytes_; }
  [[nodiscard]] std::size_t received_bytes() const { return received_bytes_; }

 private:
  void receive() {
    std::array<char, 4096> bytes{};
    const std::size_t size = socket_.read_some(asio::buffer(bytes));
    buffer_.append(bytes.data(), size);
    received_bytes_ += size;
  }

  [[nodiscard]] std::string encoded(const pb::ClientFrame& frame) const {
    if (!json_) return frame.SerializeAsString();
    std::string text;
    if (!protobuf::util::MessageToJsonString(frame, &text).ok()) {
      throw std::runtime_error("no JSON");
    }
    return text;
  }

  [[nodiscard]] pb::ServerFrame decoded(const std::string& payload) const {
    pb::ServerFrame frame;
    const bool done = json_ ? protobuf::util::JsonStringToMessage(payload, &frame).ok()
                            : frame.ParseFromString(payload);
    if (!done) throw std::runtime_error("no ServerFrame");
    return frame;
  }

  std::string take(std::size_t size) {
    while (buffer_.size() < size) receive();
    std::string taken = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return taken;
  }

  tcp::socket socket_;
  bool json_;
  std::string buffer_;
  std::size_t sent_bytes_ = 0;
  std::size_t received_bytes_ = 0;
};

/// Down and left while they move something: tiles gather in a corner.
std::optional<game::v1::Direction> choose(const std::vector<game::v1::Direction>& legal) {
  for (const auto wish : {game::v1::DIRECTION_DOWN, game::v1::DIRECTION_LEFT,
                          game::v1::DIRECTION_RIGHT, game::v1::DIRECTION_UP}) {
    if (std::ranges::find(legal, wish) != legal.end()) return wish;
  }
  return std::nullopt;
}

void play_game(const std::filesystem::path& folder, std::size_t moves, bool json) {
  TestServer server(folder);
  Client player(server, server.token(), json);
  Client spectator(server, {}, json);
  auto legal = player.legal();
  static_cast<void>(spectator.legal());
  for (std::size_t number = 1; number <= moves; ++number) {
    const auto direction = choose(legal);
    if (!direction) throw std::runtime_error("over after " + std::to_string(number - 1) + " moves");
    pb::ClientFrame frame;
    game::v1::Game2048Move move;
    move.set_direction(*direction);
    auto& out = *frame.mutable_move();
    out.set_move_id(std::to_string(1'000'000 + number));
    out.set_at_version(number);
    out.mutable_body()->PackFrom(move);
    player.send(frame);
    legal = player.legal();
    static_cast<void>(spectator.legal());
  }
  std::printf("moves %zu received %zu sent %zu\n", moves, player.sent_bytes(),
              player.received_bytes() + spectator.received_bytes());
}

}  // namespace

int main(int argc, char** argv) {
  std::filesystem::path folder{"move_cost.data"};
  std::size_t moves{100};
  bool json{false};
  CLI::App app("Plays a fixed game through the server's code.");
  app.add_option("--moves", moves);
  app.add_option("--folder", folder);
  app.add_flag("--json", json, "Both clients speak JSON.");
  CLI11_PARSE(app, argc, argv);
  spdlog::set_default_logger(spdlog::stderr_logger_mt("move_cost"));  // figures are on the other
  std::filesystem::remove_all(folder);
  try {
    play_game(folder, moves, json);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "move_cost: %s\n", error.what());
    return 1;
  }
  return 0;
}
