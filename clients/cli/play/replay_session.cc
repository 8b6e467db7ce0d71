#include "clients/cli/play/replay_session.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <variant>

#include "clients/cli/base/text_rows.h"
#include "clients/cli/play/terminal_events.h"
#include "tesela/play/v1/course.pb.h"

namespace tesela::cli {
namespace {

namespace asio = boost::asio;
using play::v1::ServerFrame;

/// The most events of a game that are kept. The rest is not read, and a message says so.
constexpr std::size_t kBytesMax = 256U << 20U;
/// Between two moves in automatic play.
constexpr std::chrono::milliseconds kPause{500};
/// Frames between two updates of the number of versions on the screen.
constexpr std::size_t kFramesPerDraw = 256;
constexpr std::int64_t kTen = 10;
constexpr std::size_t kDigitsMax = 9;

lobby::v1::ReplayRequest request_for(const ReplaySession::Options& options) {
  lobby::v1::ReplayRequest request;
  request.set_table_id(options.table.table_id());
  request.set_from_version(options.from_version);
  request.set_invite(options.invite);
  return request;
}

}  // namespace

Task<Expected<std::optional<play::v1::ServerFrame>>> ReplayStream::next() {
  if (!started_) {
    started_ = true;
    auto begun = co_await stream_.start("HistoryService/Replay", request_.SerializeAsString());
    if (!begun) co_return std::unexpected(std::move(begun.error()));
  }
  auto bytes = co_await stream_.next();
  if (!bytes) co_return std::unexpected(std::move(bytes.error()));
  if (!*bytes) co_return std::nullopt;
  lobby::v1::ReplayResponse response;
  if (!response.ParseFromString(**bytes)) {
    co_return refuse(ErrorCode::kInternal, "The server's answer cannot be read.");
  }
  co_return std::move(*response.mutable_frame());
}

play::v1::Seating seating_of(const lobby::v1::Table& table) {
  play::v1::Seating seating;
  *seating.mutable_seats() = table.seats();
  seating.set_seat_count(table.seat_count());
  for (auto& occupant : *seating.mutable_seats()) {
    occupant.set_connected(true);
    occupant.clear_resigned();
    if (!occupant.bot()) occupant.clear_strategy();
  }
  return seating;
}

ReplaySession::ReplaySession(Executor executor, Options options, Terminal& terminal)
    : executor_(executor),
      options_(std::move(options)),
      terminal_(terminal),
      stream_(options_.server, request_for(options_)),
      animation_timer_(executor, Timer::time_point::max()) {
  view_.open(options_.table.game());
  view_.take(seating_of(options_.table));
  TablePicture& picture = view_.picture();
  picture.table_id = options_.table.table_id();
  picture.link.phase = Link::Phase::kOpen;
  picture.spectating = true;
}

Task<Expected<void>> ReplaySession::run() {
  auto sizes = follow_size(executor_, terminal_, [this] { draw(); });
  auto others =
      until_one_ends(read_keys(), end_signal(executor_), run_animation(), std::move(sizes));
  auto outcome = co_await result_before(read(), std::move(others));
  if (outcome) co_return *std::move(outcome);
  co_return Expected<void>{};
}

Task<Expected<void>> ReplaySession::read() {
  auto all = co_await read_all();
  if (!all && frames_.empty()) co_return all;
  complete_ = true;
  if (!all) notice_ = all.error().message;
  animation_timer_.cancel();
  Timer never(executor_, Timer::time_point::max());
  co_await never.async_wait(kResult);
  co_return Expected<void>{};
}

Task<Expected<void>> ReplaySession::read_all() {
  for (;;) {
    auto frame = co_await stream_.next();
    if (!frame) co_return std::unexpected(std::move(frame.error()));
    if (!*frame) co_return Expected<void>{};
    keep(std::move(**frame));
    if (bytes_ > kBytesMax) {
      co_return refuse(ErrorCode::kResourceExhausted,
                       "No more of this game is kept here: see the rest with --from.");
    }
  }
}

void ReplaySession::keep(ServerFrame frame) {
  if (frames_.empty()) first_version_ = frame.snapshot().version();
  frames_.push_back(frame.SerializeAsString());
  bytes_ += frames_.back().size();
  if (frames_.size() == 1) seek(0);
  if (frames_.size() % kFramesPerDraw == 0) animation_timer_.cancel();
}

Task<void> ReplaySession::read_keys() {
  Keyboard keyboard(executor_, terminal_);
  for (;;) {
    const auto key = co_await keyboard.next();
    if (!key || !press(*key)) co_return;
    animation_timer_.cancel();
  }
}

Task<void> ReplaySession::run_animation() {
  for (;;) {
    GameScreen* screen = view_.screen();
    auto time = screen != nullptr ? screen->next_frame() : std::nullopt;
    const bool goes_on = !time && playing_ && shown_ < last();
    if (goes_on) time = kPause;
    draw();
    if (time) {
      animation_timer_.expires_after(*time);
    } else {
      animation_timer_.expires_at(Timer::time_point::max());
    }
    const auto [error] = co_await animation_timer_.async_wait(kResult);
    if (!error && goes_on) step();
  }
}

bool ReplaySession::press(Key key) {
  if (key == U'q') return false;
  if (view_.screen() == nullptr || frames_.empty()) return true;
  notice_.clear();
  const bool was_playing = std::exchange(playing_, false);
  if (key == U'a') {
    playing_ = !was_playing;
  } else if (key == key::kEnter && !typed_.empty()) {
    go_to_typed();
  } else if ((key >= U'0' && key <= U'9') || (key == key::kBackspace && !typed_.empty())) {
    press_number(key);
  } else {
    typed_.clear();
    press_way(key);
  }
  return true;
}

void ReplaySession::press_way(Key key) {
  switch (key) {
    case key::kRight:
    case key::kEnter:
    case U' ':
      return step();
    case key::kLeft:
    case key::kBackspace:
      return seek(shown_ - 1);
    case key::kUp:
      return seek(shown_ - kTen);
    case key::kDown:
      return seek(shown_ + kTen);
    case key::kHome:
      return seek(0);
    case key::kEnd:
      return seek(last());
    default:
      return;
  }
}

void ReplaySession::press_number(Key key) {
  if (key == key::kBackspace) {
    typed_.pop_back();
  } else if (typed_.size() < kDigitsMax) {
    typed_ += static_cast<char>(key);
  }
}

void ReplaySession::go_to_typed() {
  std::int64_t version = 0;
  std::from_chars(typed_.data(), typed_.data() + typed_.size(), version);
  typed_.clear();
  const auto first = static_cast<std::int64_t>(first_version_);
  seek(version - first);
  if (version < first || version > first + last()) {
    notice_ = "There are the versions " + std::to_string(first) + " to " +
              std::to_string(first + last()) + (complete_ ? "." : ", so far.");
  }
}

void ReplaySession::seek(std::int64_t index) {
  shown_ = std::clamp<std::int64_t>(index, 0, last());
  std::int64_t from = shown_;
  while (keeps_position(from)) --from;
  view_.picture().news.clear();
  for (; from <= shown_; ++from) take(from);
  if (view_.screen() != nullptr) view_.screen()->settle();
}

void ReplaySession::step() {
  if (shown_ == last()) return;
  take(++shown_);
  if (!options_.animated) view_.screen()->settle();
}

/// Whether the frame has the same position as the one before: a resignation.
bool ReplaySession::keeps_position(std::int64_t index) const {
  ServerFrame frame;
  return index > 0 && frame.ParseFromString(frames_[static_cast<std::size_t>(index)]) &&
         frame.event().body().Is<play::v1::Resigned>();
}

void ReplaySession::take(std::int64_t index) {
  ServerFrame frame;
  if (!frame.ParseFromString(frames_[static_cast<std::size_t>(index)])) return;
  const bool shown = frame.has_event() ? view_.take(frame.event()) : view_.take(frame.snapshot());
  words_.clear();
  if (!shown) {
    words_ = "this cannot be shown here yet";
  } else if (view_.picture().status.result) {
    words_ = view_.verdict();
  } else if (frame.has_event()) {
    words_ = view_.words_of(frame.event());
  }
}

Prompt ReplaySession::prompt() const {
  const auto first = static_cast<std::int64_t>(first_version_);
  Prompt prompt{
      .text = "Version " + std::to_string(first + shown_) + " of " + std::to_string(first + last()),
      .keys = {"right: next   left: back   up, down: by ten   home, end   a: play on",
               "a number and enter: to that version   q: quit"}};
  if (!complete_) prompt.text += " so far";
  if (!words_.empty()) prompt.text += ": " + words_;
  if (!notice_.empty()) prompt.text = notice_;
  if (!typed_.empty()) prompt.text = "To version " + typed_ + "_";
  if (frames_.empty()) prompt.text = "The game is being read.";
  return prompt;
}

void ReplaySession::draw() {
  view_.picture().replay = prompt();
  Canvas canvas = Terminal::canvas();
  // The clocks as they were at that version.
  view_.draw(view_.clock().set_ms(), canvas);
  terminal_.show(canvas);
}

}  // namespace tesela::cli
