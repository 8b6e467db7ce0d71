#include "clients/cli/play/play_session.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "clients/cli/play/terminal_events.h"
#include "tesela/play/v1/course.pb.h"

namespace tesela::cli {
namespace {

namespace asio = boost::asio;
using std::chrono::steady_clock;

/// Keys kept while a move is unanswered. Further keys are dropped, so that a held key stops when it
/// is released.
constexpr std::size_t kQueuedKeysMax = 3;

bool sits_as_owner(const play::v1::Seating& seating) {
  return std::ranges::any_of(seating.seats(), [&](const play::v1::SeatOccupant& occupant) {
    return seating.has_seat() && occupant.seat() == seating.seat() &&
           occupant.player_id() == seating.owner_id();
  });
}

template <class Body>
google::protobuf::Any move_of() {
  google::protobuf::Any move;
  move.PackFrom(Body());
  return move;
}

}  // namespace

PlaySession::PlaySession(Executor executor, Options options, Terminal& terminal)
    : executor_(executor),
      options_(std::move(options)),
      terminal_(terminal),
      client_(executor, options_.stream, *this),
      animation_timer_(executor, Timer::time_point::max()),
      clock_timer_(executor, Timer::time_point::max()) {
  picture().table_id = options_.stream.table_id;
  const ServerAddress& server = options_.stream.server;
  picture().link_url =
      (server.tls ? "https://" : "http://") + to_text(server) + "/t/" + picture().table_id;
  picture().invite = options_.stream.invite;
  picture().options = options_.table;
  picture().news = options_.news;
  picture().spectating = options_.stream.spectate;
}

Task<PlaySession::Command> PlaySession::run() {
  auto sizes = follow_size(executor_, terminal_, [this] { draw(); });
  auto others = until_one_ends(end_signal(executor_), stay_connected(), run_animation(),
                               run_clocks(), std::move(sizes));
  const auto command = co_await result_before(read_keys(), std::move(others));
  co_return command.value_or(Command::kQuit);
}

Task<void> PlaySession::stay_connected() {
  co_await client_.run();
  // The reason stays on the screen until a key is pressed.
  Timer never(executor_, Timer::time_point::max());
  co_await never.async_wait(kResult);
}

Task<PlaySession::Command> PlaySession::read_keys() {
  Keyboard keyboard(executor_, terminal_);
  for (;;) {
    const auto key = co_await keyboard.next();
    if (!key) co_return Command::kQuit;
    if (const auto command = press(*key)) co_return *command;
  }
}

Task<void> PlaySession::run_animation() {
  for (;;) {
    GameScreen* screen = view_.screen();
    const auto time = screen != nullptr ? screen->next_frame() : std::nullopt;
    draw();
    if (time) {
      animation_timer_.expires_after(*time);
    } else {
      animation_timer_.expires_at(Timer::time_point::max());
    }
    co_await animation_timer_.async_wait(kResult);
  }
}

Task<void> PlaySession::run_clocks() {
  for (;;) {
    const auto time = view_.clock().steady_for(view_.clock().server_ms(steady_clock::now()));
    if (time) {
      clock_timer_.expires_after(*time);
    } else {
      clock_timer_.expires_at(Timer::time_point::max());
    }
    const auto [error] = co_await clock_timer_.async_wait(kResult);
    if (!error) draw();
  }
}

std::optional<PlaySession::Command> PlaySession::press(Key key) {
  if (picture().talk.asking() != TableTalk::Asking::kNothing) {
    press_talk(key);
    return std::nullopt;
  }
  if (to_confirm_ != key) to_confirm_.reset();
  if (const auto command = command_of(key)) return command;
  if (!press_table(key)) press_game(key);
  draw();
  return std::nullopt;
}

std::optional<PlaySession::Command> PlaySession::command_of(Key key) {
  const TableKeys keys = keys_of(picture());
  const bool playing = picture().status.version > 0 && !over();
  if (key == U'q') return Command::kQuit;
  if (key == U's' && keys.begin) return Command::kStart;
  if (key == U'r' && keys.rematch) return Command::kRematch;
  if (key == U'x' && keys.leave) return Command::kLeave;
  if (key == U'n' && keys.new_game &&
      (!playing || confirmed(key, "Press n again to leave this game for a new one."))) {
    return Command::kNewGame;
  }
  return std::nullopt;
}

bool PlaySession::press_table(Key key) {
  const TableKeys keys = keys_of(picture());
  using Asking = TableTalk::Asking;
  if (key == U'?' && keys.hint) {
    press_hint(key);
  } else if (key == U't' && keys.talk) {
    picture().talk.ask(Asking::kWords);
  } else if (key == U'p' && keys.phrases) {
    picture().talk.ask(Asking::kPhrase);
  } else if (key == U'm' && keys.mute) {
    picture().talk.ask(Asking::kMute);
  } else if (key == U'u' && keys.undo) {
    const bool free = picture().assisted || picture().options.practice();
    if (free || confirmed(key, "After an undo the game counts in no ranking. Press u again.")) {
      settle();
      play(move_of<play::v1::Undo>());
    }
  } else if (key == U'x' && keys.resign) {
    if (confirmed(key, "Do you really resign? Press x again.")) {
      // It is valid whatever the others play meanwhile.
      play(move_of<play::v1::Resign>(), StreamClient::DecidedOn::kAnyVersion);
    }
  } else {
    return to_confirm_ == key;
  }
  return true;
}

void PlaySession::press_hint(Key key) {
  TablePicture& seen = picture();
  if (!seen.hint.empty()) {
    seen.hint.next();
    seen.message = seen.hint.line();
    return;
  }
  const bool free = seen.assisted || seen.options.practice();
  if (!free && !confirmed(key, "With a hint the game counts in no ranking. Press ? again.")) return;
  settle();
  client_.ask();
  seen.message = linked() ? "A bot is thinking." : "There is no connection: ask again later.";
}

void PlaySession::press_game(Key key) {
  const bool full = queued_keys_.size() >= kQueuedKeysMax;
  if (picture().spectating || view_.screen() == nullptr || full) return;
  queued_keys_.push_back(key);
  settle();
  play_queued_keys();
}

bool PlaySession::confirmed(Key key, const char* question) {
  if (to_confirm_ == key) {
    to_confirm_.reset();
    return true;
  }
  to_confirm_ = key;
  picture().message = question;
  return false;
}

void PlaySession::press_talk(Key key) {
  picture().message.clear();
  if (auto frame = picture().talk.press(key); frame && !client_.say(*std::move(frame))) {
    picture().message = "There is no connection: nobody would hear it.";
  }
  draw();
}

void PlaySession::play_queued_keys() {
  if (over()) queued_keys_.clear();  // keeps the message about the end
  while (!queued_keys_.empty() && !client_.unanswered() && client_.version() > Version{}) {
    const Key key = queued_keys_.front();
    queued_keys_.pop_front();
    if (linked()) picture().message.clear();
    Pressed pressed = view_.screen()->press(key, picture().status);
    if (!pressed.message.empty()) picture().message = std::move(pressed.message);
    if (pressed.move) play(std::move(*pressed.move));
  }
}

void PlaySession::play(google::protobuf::Any move, StreamClient::DecidedOn decided_on) {
  picture().message.clear();
  if (!client_.play(std::move(move), decided_on)) {
    picture().message = "Your last move is under way: press the key again.";
  } else if (!linked()) {
    picture().message = "Your move is kept until the connection is back.";
  }
}

void PlaySession::tell_end() {
  TablePicture& seen = picture();
  seen.status.rematch = over() && seen.status.seat.has_value() && seen.status.names.size() > 1;
  if (!over()) return;
  seen.message = view_.verdict();
  if (seen.spectating) return;
  // Short, so that both fit in 80 columns; the line of keys has the rest.
  seen.message += seen.status.rematch ? " Press r for a rematch." : " Press n for a new game.";
}

void PlaySession::settle() {
  if (view_.screen() != nullptr) view_.screen()->settle();
  animation_timer_.cancel();
}

void PlaySession::draw() {
  Canvas canvas = Terminal::canvas();
  view_.draw(view_.clock().server_ms(steady_clock::now()), canvas);
  terminal_.show(canvas);
}

Printed PlaySession::exit_text() const {
  Printed text = Printed::of("Table {}", picture().table_id);
  if (view_.screen() != nullptr && picture().status.version > 0) {
    text += Printed::of(", {}", view_.screen()->score_words());
  }
  return text + Printed::of(". Go on with: tesela play --table {}\n{}\n", picture().table_id,
                            watch_words(picture()));
}

void PlaySession::on_link(const Link& link) {
  picture().link = link;
  if (!link.why.empty()) picture().message = link.why;
  if (link.phase == Link::Phase::kWaiting && client_.unanswered()) {
    picture().message += " Your move is kept.";
  }
  if (linked() && !over()) picture().message.clear();
  draw();
}

void PlaySession::on_welcome(const play::v1::Welcome& welcome) {
  view_.clock().forget();
  view_.clock().hear(welcome.server_time_ms(), steady_clock::now());
  on_seating(welcome.seating());
  for (auto& mute : picture().talk.mutes()) client_.say(std::move(mute));
  if (view_.screen() != nullptr) return;
  config_ = welcome.config();
  view_.open(welcome.game());
}

void PlaySession::on_seating(const play::v1::Seating& seating) {
  TablePicture& seen = picture();
  seen.spectating = !seating.has_seat();
  seen.status.seat.reset();
  if (seating.has_seat()) seen.status.seat = seating.seat();
  view_.take(seating);
  seen.status.can_start = seating.waiting() && sits_as_owner(seating);
  if (!seating.rematch_table_id().empty() && seen.status.rematch) {
    seen.message = "There is a rematch: press r to sit down.";
  }
  draw();
}

void PlaySession::on_snapshot(const play::v1::Snapshot& snapshot) {
  if (!view_.take(snapshot)) {
    picture().message = "This game cannot be shown here yet.";
    draw();
    return;
  }
  tell_end();
  clock_timer_.cancel();
  animation_timer_.cancel();
  play_queued_keys();
  draw();
}

void PlaySession::on_event(const play::v1::Event& event) {
  if (!view_.take(event)) return;
  if (!picture().news.empty()) picture().message.clear();
  tell_end();
  clock_timer_.cancel();
  if (!options_.animated || !queued_keys_.empty()) view_.screen()->settle();
  play_queued_keys();
  animation_timer_.cancel();
}

void PlaySession::on_clocks(const play::v1::Clocks& clocks) {
  view_.take(clocks);
  clock_timer_.cancel();
  draw();
}

void PlaySession::on_said(const play::v1::Said& said) {
  picture().talk.hear(said);
  draw();
}

void PlaySession::on_announcement(const std::string& text) {
  const bool is_new = !text.empty() && text != announced_;
  announced_ = text;
  if (!is_new) return;  // a stream that comes back is told again
  picture().talk.hear_operator(text);
  draw();
}

void PlaySession::on_hint(const play::v1::Hint& hint) {
  TablePicture& seen = picture();
  if (view_.screen() == nullptr || hint.version() != seen.status.version) return;
  seen.hint.take(hint, *view_.screen(), seen.status.names.size());
  seen.message = seen.hint.line();
  draw();
}

void PlaySession::on_refusal(const play::v1::Refusal& refusal) {
  if (!refusal.move_id().empty()) queued_keys_.clear();
  picture().message = refusal.message();
  draw();
}

}  // namespace tesela::cli
