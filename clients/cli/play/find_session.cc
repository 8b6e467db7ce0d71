#include "clients/cli/play/find_session.h"

#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <utility>
#include <variant>

#include "clients/cli/client/server_stream.h"
#include "clients/cli/play/terminal_events.h"

namespace tesela::cli {
namespace {

namespace asio = boost::asio;

constexpr std::chrono::milliseconds kRetryFirst{100};
constexpr std::chrono::milliseconds kRetryMax{5000};

}  // namespace

FindSession::FindSession(Executor executor, Options options, Terminal& terminal)
    : executor_(std::move(executor)),
      options_(std::move(options)),
      terminal_(terminal),
      picture_{.game = options_.request.game()},
      back_off_(kRetryFirst, kRetryMax, options_.random_seed) {
  if (options_.request.has_party()) picture_.party_size = options_.request.party().size();
}

Task<Expected<std::optional<lobby::v1::Table>>> FindSession::run() {
  draw();
  auto sizes = follow_size(executor_, terminal_, [this] { draw(); });
  auto others = until_one_ends(quit_key(), end_signal(executor_), std::move(sizes));
  auto found = co_await result_before(search(), std::move(others));
  if (!found) co_return std::nullopt;
  co_return *std::move(found);
}

Task<Expected<lobby::v1::Table>> FindSession::search() {
  for (;;) {
    auto found = co_await one_call();
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    const bool hung_up = cancellation.cancelled() != asio::cancellation_type::none;
    if (found || hung_up || found.error().code != ErrorCode::kUnavailable) co_return found;
    picture_.message = found.error().message + " Trying again.";
    draw();
    Timer wait(executor_, back_off_.next());
    co_await wait.async_wait(kResult);
  }
}

Task<Expected<lobby::v1::Table>> FindSession::one_call() {
  ServerStream stream(options_.server, options_.token);
  auto begun =
      co_await stream.start("MatchmakingService/Find", options_.request.SerializeAsString());
  if (!begun) co_return std::unexpected(begun.error());
  for (;;) {
    const auto bytes = co_await stream.next();
    if (!bytes) co_return std::unexpected(bytes.error());
    if (!*bytes) co_return refuse(ErrorCode::kUnavailable, "The server has ended the search.");
    lobby::v1::FindResponse news;
    if (!news.ParseFromString(**bytes)) {
      co_return refuse(ErrorCode::kInternal, "The server's answer cannot be read.");
    }
    if (news.has_matched()) co_return news.matched().table();
    back_off_.reset();
    picture_.message.clear();
    picture_.standing = news.searching();
    draw();
  }
}

Task<void> FindSession::quit_key() {
  Keyboard keyboard(executor_, terminal_);
  for (;;) {
    const auto key = co_await keyboard.next();
    if (!key || *key == U'q') co_return;
  }
}

void FindSession::draw() {
  Canvas canvas = Terminal::canvas();
  draw_search(picture_, canvas);
  terminal_.show(canvas);
}

}  // namespace tesela::cli
