#include "clients/cli/table/table_view.h"

#include <utility>

#include "clients/cli/games/games.h"
#include "clients/cli/screen/seat_words.h"
#include "tesela/play/v1/course.pb.h"

namespace tesela::cli {
namespace {

/// What happens in any game beside its own moves (tesela/play/v1/course.proto): "Ann resigns",
/// "Ann was away, Bob claims the game", "Ann takes a move back". Empty for a move of the game.
std::optional<std::string> table_event_words(const play::v1::Event& event,
                                             const std::vector<std::string>& names) {
  const std::string who = name_of(event.seat(), names);
  play::v1::Resigned resigned;
  if (event.body().UnpackTo(&resigned)) {
    if (!resigned.has_claimed_by()) return who + " resigns";
    return who + " was away, " + name_of(resigned.claimed_by(), names) + " claims the game";
  }
  if (event.body().Is<play::v1::Undone>()) return who + " takes a move back";
  return std::nullopt;
}

/// "Ann ran out of time, greedy moves instead". Empty when the player moved.
std::string timeout_words(const play::v1::Event& event, const std::vector<std::string>& names) {
  if (!event.timed_out()) return {};
  return name_of(event.seat(), names) + " ran out of time, " + event.strategy() + " moves instead";
}

std::string sentence(const std::string& words) {
  return words.empty() ? words : words + ".";
}

}  // namespace

void TableView::open(const std::string& game) {
  if (screen_) return;
  picture_.game = game;
  screen_ = make_screen(game);
}

void TableView::take(const play::v1::Seating& seating) {
  picture_.status.names = names_of(seating);
  picture_.status.marks = marks_of(seating);
  picture_.status.waiting = seating.waiting();
  picture_.spectators = seating.spectators();
  picture_.assisted = seating.assisted();
  picture_.talk.take(seating, picture_.status.seat);
}

void TableView::take(const play::v1::Clocks& clocks) {
  clock_.set(clocks, std::chrono::steady_clock::now());
}

template <class News>
void TableView::take_status(const News& news) {
  TableStatus& status = picture_.status;
  picture_.hint.forget();
  status.version = news.version();
  status.on_turn.assign(news.turn().seats().begin(), news.turn().seats().end());
  status.result.reset();
  if (news.has_result()) status.result = news.result();
  clock_.clear();
  if (news.has_clocks()) take(news.clocks());
}

bool TableView::take(const play::v1::Snapshot& snapshot) {
  if (screen_ == nullptr || !show(snapshot.view(), snapshot.grid())) return false;
  take_status(snapshot);
  return true;
}

bool TableView::take(const play::v1::Event& event) {
  if (screen_ == nullptr || !follow(event)) return false;
  take_status(event);
  const auto& names = picture_.status.names;
  picture_.news = sentence(table_event_words(event, names).value_or(timeout_words(event, names)));
  return true;
}

/// A resignation does not change the position.
bool TableView::follow(const play::v1::Event& event) {
  if (event.body().Is<play::v1::Resigned>()) return true;
  play::v1::Undone undone;
  if (event.body().UnpackTo(&undone)) return show(undone.view(), event.grid().view());
  return screen_->follow(event, picture_.status);
}

bool TableView::show(const google::protobuf::Any& view, const game::v1::GridView& grid) {
  if (screen_->show(view)) return true;
  google::protobuf::Any any;
  any.PackFrom(grid);
  return screen_->show(any);
}

void TableView::draw(std::int64_t server_ms, Canvas& canvas) {
  TableStatus& status = picture_.status;
  status.clocks = clock_.words(status.names.size(), status.on_turn, server_ms);
  draw_table(picture_, screen_.get(), canvas);
}

std::string TableView::words_of(const play::v1::Event& event) const {
  const TableStatus& status = picture_.status;
  if (auto words = table_event_words(event, status.names)) return *std::move(words);
  std::string words = screen_->move_words(event, status);
  const std::string timeout = timeout_words(event, status.names);
  return timeout.empty() ? words : words + " (" + timeout + ")";
}

std::string TableView::verdict() const {
  const TableStatus& status = picture_.status;
  return has_resigned(*status.result) ? resigned_words(*status.result, status.names)
                                      : screen_->verdict(status);
}

}  // namespace tesela::cli
