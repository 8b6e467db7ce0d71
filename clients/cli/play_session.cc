#include "clients/cli/play_session.h"

#include <curses.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/basic_signal_set.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <csignal>
#include <utility>
#include <variant>

namespace tesela::cli {
namespace {

namespace asio = boost::asio;
using game::v1::Direction;

/// Keys pressed ahead of the server's answers. Above: forgotten, so that a held key ends when
/// released.
constexpr std::size_t kKeysAheadMax = 3;

std::optional<Direction> direction_of(int key) {
  switch (key) {
    case KEY_LEFT:
    case 'a':
    case 'h':
      return game::v1::DIRECTION_LEFT;
    case KEY_DOWN:
    case 's':
    case 'j':
      return game::v1::DIRECTION_DOWN;
    case KEY_UP:
    case 'w':
    case 'k':
      return game::v1::DIRECTION_UP;
    case KEY_RIGHT:
    case 'd':
    case 'l':
      return game::v1::DIRECTION_RIGHT;
    default:
      return std::nullopt;
  }
}

bool is_over(const game::v1::Game2048View& view) {
  return view.outcome() == game::v1::GAME2048_OUTCOME_WON ||
         view.outcome() == game::v1::GAME2048_OUTCOME_LOST;
}

bool is_legal(const game::v1::Game2048View& view, Direction direction) {
  return std::find(view.legal().begin(), view.legal().end(), direction) != view.legal().end();
}

}  // namespace

PlaySession::PlaySession(Executor executor, Options options, Terminal& terminal)
    : executor_(executor),
      options_(std::move(options)),
      terminal_(terminal),
      screen_(terminal),
      client_(executor, options_.stream, *this),
      frame_timer_(executor, Timer::time_point::max()) {
  picture_.table_id = options_.stream.table_id;
  picture_.link_url = "http://" + to_text(options_.stream.server) + "/t/" + picture_.table_id;
  picture_.spectating = options_.stream.spectate;
}

Task<PlaySession::Wish> PlaySession::run() {
  using asio::experimental::awaitable_operators::operator||;
  auto first = co_await (read_keys() || wait_for_signal() || stay_connected() || show_frames() ||
                         follow_size());
  if (const auto* wish = std::get_if<0>(&first)) co_return *wish;
  co_return Wish::kQuit;
}

Task<void> PlaySession::stay_connected() {
  co_await client_.run();
  // The reason stays on the screen until a key is pressed.
  Timer never(executor_, Timer::time_point::max());
  co_await never.async_wait(kResult);
}

Task<PlaySession::Wish> PlaySession::read_keys() {
  asio::posix::basic_stream_descriptor<Executor> keyboard(executor_, ::dup(STDIN_FILENO));
  for (;;) {
    const auto [error] = co_await keyboard.async_wait(keyboard.wait_read, kResult);
    if (error) co_return Wish::kQuit;
    if (terminal_.gone()) co_return Wish::kQuit;
    for (auto key = terminal_.key(); key; key = terminal_.key()) {
      if (const auto wish = press(*key)) co_return *wish;
    }
  }
}

Task<PlaySession::Wish> PlaySession::wait_for_signal() {
  asio::basic_signal_set<Executor> signals(executor_, SIGINT, SIGTERM, SIGHUP);
  signals.add(SIGQUIT);
  co_await signals.async_wait(kResult);
  co_return Wish::kQuit;
}

Task<void> PlaySession::follow_size() {
  asio::basic_signal_set<Executor> changed(executor_, SIGWINCH);
  for (;;) {
    co_await changed.async_wait(kResult);
    terminal_.resize();
    draw();
  }
}

Task<void> PlaySession::show_frames() {
  draw();
  for (;;) {
    if (frames_.empty()) {
      frame_timer_.expires_at(Timer::time_point::max());
    } else {
      picture_.sprites = std::move(frames_.front().sprites);
      frame_timer_.expires_after(frames_.front().time);
      frames_.pop_front();
      draw();
    }
    co_await frame_timer_.async_wait(kResult);
    if (frames_.empty()) {
      skip_animation();
      draw();
    }
  }
}

void PlaySession::skip_animation() {
  frames_.clear();
  picture_.sprites = sprites_of(picture_.view.cells(), picture_.view.size());
}

std::optional<PlaySession::Wish> PlaySession::press(int key) {
  if (key == 'q') return Wish::kQuit;
  if (picture_.spectating) return std::nullopt;
  if (key == 'n') return press_new_game();
  new_game_asked_ = false;
  if (const auto direction = direction_of(key)) press_direction(*direction);
  return std::nullopt;
}

std::optional<PlaySession::Wish> PlaySession::press_new_game() {
  const bool playing = picture_.version > 0 && !is_over(picture_.view);
  if (!playing || new_game_asked_) return Wish::kNewGame;
  new_game_asked_ = true;
  picture_.message = "Press n again to leave this game for a new one.";
  draw();
  return std::nullopt;
}

void PlaySession::press_direction(Direction direction) {
  if (ahead_.size() >= kKeysAheadMax) return;
  ahead_.push_back(direction);
  if (!frames_.empty()) frame_timer_.cancel();
  skip_animation();
  play_next();
  draw();
}

void PlaySession::play_next() {
  if (is_over(picture_.view)) ahead_.clear();  // and the message that says so stays
  while (!ahead_.empty() && !client_.unanswered() && client_.version() > Version{}) {
    const Direction direction = ahead_.front();
    ahead_.pop_front();
    if (picture_.link.phase == Link::Phase::kOpen) picture_.message.clear();
    if (!is_legal(picture_.view, direction)) {
      picture_.message = "That would not move a tile.";
      continue;
    }
    game::v1::Game2048Move move;
    move.set_direction(direction);
    google::protobuf::Any body;
    body.PackFrom(move);
    client_.play(std::move(body));
    if (picture_.link.phase != Link::Phase::kOpen) {
      picture_.message = "Your move is kept until the connection is back.";
    }
  }
}

void PlaySession::show(const game::v1::Game2048View& view, std::uint64_t version) {
  picture_.view = view;
  picture_.version = version;
  if (view.outcome() == game::v1::GAME2048_OUTCOME_WON) {
    picture_.message = "You have won. Press n for a new game.";
  } else if (view.outcome() == game::v1::GAME2048_OUTCOME_LOST) {
    picture_.message = "Game over: nothing can move. Press n for a new game.";
  }
}

void PlaySession::on_link(const Link& link) {
  picture_.link = link;
  if (!link.why.empty()) picture_.message = link.why;
  if (link.phase == Link::Phase::kWaiting && client_.unanswered()) {
    picture_.message += " Your move is kept.";
  }
  if (link.phase == Link::Phase::kOpen && !is_over(picture_.view)) picture_.message.clear();
  draw();
}

void PlaySession::on_welcome(const play::v1::Welcome& welcome) {
  picture_.spectating = !welcome.has_seat();
}

void PlaySession::on_snapshot(const play::v1::Snapshot& snapshot) {
  game::v1::Game2048View view;
  if (!snapshot.view().UnpackTo(&view)) {
    picture_.message = "This game cannot be shown here yet.";
    draw();
    return;
  }
  show(view, snapshot.version());
  if (!frames_.empty()) frame_timer_.cancel();
  skip_animation();
  play_next();
  draw();
}

void PlaySession::on_event(const play::v1::Event& event) {
  game::v1::Game2048Event happened;
  if (!event.body().UnpackTo(&happened)) return;
  const auto before = picture_.view.cells();
  show(happened.view(), event.version());
  frames_.clear();
  if (options_.animated && ahead_.empty()) {
    for (auto& frame : animate(before, happened.stages(), picture_.view.size())) {
      frames_.push_back(std::move(frame));
    }
  }
  play_next();
  if (frames_.empty()) {
    skip_animation();
    draw();
  } else {
    frame_timer_.cancel();
  }
}

void PlaySession::on_refusal(const play::v1::Refusal& refusal) {
  ahead_.clear();
  picture_.message = refusal.message();
  draw();
}

}  // namespace tesela::cli
