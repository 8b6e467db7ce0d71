#include "clients/cli/play_session.h"

#include <algorithm>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <utility>
#include <variant>

#include "clients/cli/screen/screens.h"
#include "clients/cli/screen/seat_names.h"
#include "clients/cli/terminal_events.h"

namespace tesela::cli {
namespace {

namespace asio = boost::asio;

/// Keys pressed ahead of the server's answers. Above: forgotten, so that a held key ends when
/// released.
constexpr std::size_t kKeysAheadMax = 3;

bool sits_as_owner(const play::v1::Seating& seating) {
  return std::ranges::any_of(seating.seats(), [&](const play::v1::SeatOccupant& occupant) {
    return seating.has_seat() && occupant.seat() == seating.seat() &&
           occupant.player_id() == seating.owner_id();
  });
}

}  // namespace

PlaySession::PlaySession(Executor executor, Options options, Terminal& terminal)
    : executor_(executor),
      options_(std::move(options)),
      terminal_(terminal),
      client_(executor, options_.stream, *this),
      film_timer_(executor, Timer::time_point::max()) {
  picture_.table_id = options_.stream.table_id;
  picture_.link_url = "http://" + to_text(options_.stream.server) + "/t/" + picture_.table_id;
  picture_.invite = options_.stream.invite;
  picture_.spectating = options_.stream.spectate;
}

Task<PlaySession::Wish> PlaySession::run() {
  using asio::experimental::awaitable_operators::operator||;
  auto first = co_await (read_keys() || end_signal(executor_) || stay_connected() || show_film() ||
                         follow_size(executor_, terminal_, [this] { draw(); }));
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
  Keyboard keyboard(executor_, terminal_);
  for (;;) {
    const auto key = co_await keyboard.next();
    if (!key) co_return Wish::kQuit;
    if (const auto wish = press(*key)) co_return *wish;
  }
}

Task<void> PlaySession::show_film() {
  for (;;) {
    const auto time = screen_ ? screen_->next_frame() : std::nullopt;
    draw();
    if (time) {
      film_timer_.expires_after(*time);
    } else {
      film_timer_.expires_at(Timer::time_point::max());
    }
    co_await film_timer_.async_wait(kResult);
  }
}

std::optional<PlaySession::Wish> PlaySession::press(Key key) {
  if (key == U'q') return Wish::kQuit;
  if (picture_.spectating) return std::nullopt;
  if (key == U'n') return press_new_game();
  if (key == U's' && picture_.status.beginner) return Wish::kStart;
  if (key == U'r' && picture_.status.rematch) return Wish::kRematch;
  new_game_asked_ = false;
  if (screen_ == nullptr || ahead_.size() >= kKeysAheadMax) return std::nullopt;
  ahead_.push_back(key);
  settle();
  press_ahead();
  draw();
  return std::nullopt;
}

std::optional<PlaySession::Wish> PlaySession::press_new_game() {
  const bool playing = picture_.status.version > 0 && !over();
  if (picture_.game.empty()) return std::nullopt;  // nobody knows yet of what
  if (!playing || new_game_asked_) return Wish::kNewGame;
  new_game_asked_ = true;
  picture_.message = "Press n again to leave this game for a new one.";
  draw();
  return std::nullopt;
}

void PlaySession::press_ahead() {
  if (over()) ahead_.clear();  // and the message that says so stays
  while (!ahead_.empty() && !client_.unanswered() && client_.version() > Version{}) {
    const Key key = ahead_.front();
    ahead_.pop_front();
    if (linked()) picture_.message.clear();
    Pressed pressed = screen_->press(key, picture_.status);
    if (!pressed.message.empty()) picture_.message = std::move(pressed.message);
    if (pressed.move) play(std::move(*pressed.move));
  }
}

void PlaySession::play(google::protobuf::Any move) {
  client_.play(std::move(move));
  if (!linked()) picture_.message = "Your move is kept until the connection is back.";
}

template <class News>
void PlaySession::take_status(const News& news) {
  TableStatus& status = picture_.status;
  status.version = news.version();
  status.on_turn.assign(news.turn().seats().begin(), news.turn().seats().end());
  status.result.reset();
  if (!news.has_result()) return;
  status.result = news.result();
  status.rematch = status.seat.has_value() && status.names.size() > 1;
  picture_.message = screen_->verdict(status);
  if (picture_.spectating) return;
  picture_.message +=
      status.rematch ? " Press r for a rematch, n for a new game." : " Press n for a new game.";
}

void PlaySession::settle() {
  if (screen_) screen_->settle();
  film_timer_.cancel();
}

void PlaySession::draw() {
  Canvas canvas = Terminal::canvas();
  draw_table(picture_, screen_.get(), canvas);
  terminal_.show(canvas);
}

std::string PlaySession::farewell() const {
  std::string text = "Table " + picture_.table_id;
  if (screen_ && picture_.status.version > 0) text += ", " + screen_->score_words();
  return text + ". Go on with: tesela play --table " + picture_.table_id + "\n" +
         watch_words(picture_) + "\n";
}

void PlaySession::on_link(const Link& link) {
  picture_.link = link;
  if (!link.why.empty()) picture_.message = link.why;
  if (link.phase == Link::Phase::kWaiting && client_.unanswered()) {
    picture_.message += " Your move is kept.";
  }
  if (linked() && !over()) picture_.message.clear();
  draw();
}

template <class Place>
void PlaySession::sit_on(const Place& place) {
  picture_.spectating = !place.has_seat();
  picture_.status.seat.reset();
  if (place.has_seat()) picture_.status.seat = place.seat();
}

void PlaySession::on_welcome(const play::v1::Welcome& welcome) {
  on_seating(welcome.seating());
  sit_on(welcome);
  if (screen_) return;
  picture_.game = welcome.game();
  config_ = welcome.config();
  screen_ = make_screen(welcome.game());
}

void PlaySession::on_seating(const play::v1::Seating& seating) {
  sit_on(seating);
  picture_.status.names = names_of(seating);
  picture_.status.waiting = seating.waiting();
  picture_.status.beginner = seating.waiting() && sits_as_owner(seating);
  if (!seating.rematch_table_id().empty() && picture_.status.rematch) {
    picture_.message = "There is a rematch: press r to sit down.";
  }
  draw();
}

void PlaySession::on_snapshot(const play::v1::Snapshot& snapshot) {
  if (screen_ == nullptr || !screen_->show(snapshot.view())) {
    picture_.message = "This game cannot be shown here yet.";
    draw();
    return;
  }
  take_status(snapshot);
  film_timer_.cancel();
  press_ahead();
  draw();
}

void PlaySession::on_event(const play::v1::Event& event) {
  if (screen_ == nullptr || !screen_->follow(event, picture_.status)) return;
  take_status(event);
  if (!options_.animated || !ahead_.empty()) screen_->settle();
  press_ahead();
  film_timer_.cancel();
}

void PlaySession::on_refusal(const play::v1::Refusal& refusal) {
  ahead_.clear();
  picture_.message = refusal.message();
  draw();
}

}  // namespace tesela::cli
