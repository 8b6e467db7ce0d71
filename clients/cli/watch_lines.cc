#include "clients/cli/watch_lines.h"

#include <array>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <ostream>
#include <utility>

namespace tesela::cli {
namespace {

using game::v1::Game2048View;

std::string outcome_words(const Game2048View& view) {
  switch (view.outcome()) {
    case game::v1::GAME2048_OUTCOME_OBJECTIVE_REACHED:
      return "objective reached";
    case game::v1::GAME2048_OUTCOME_WON:
      return "won";
    case game::v1::GAME2048_OUTCOME_LOST:
      return "lost";
    default:
      return "in play";
  }
}

std::string direction_word(game::v1::Direction direction) {
  constexpr std::array kWords = {"?", "left", "right", "up", "down"};
  return kWords.at(static_cast<std::size_t>(direction));
}

}  // namespace

std::string line_of(std::uint64_t version, const std::string& what, const Game2048View& view) {
  std::string line = "version " + std::to_string(version) + " " + what + " score " +
                     std::to_string(view.score()) + " ";
  for (int cell = 0; cell < view.cells_size(); ++cell) {
    if (cell % static_cast<int>(view.size()) == 0) line += "| ";
    const std::uint32_t exponent = view.cells(cell);
    line += exponent == 0 ? "." : std::to_string(std::uint64_t{1} << (exponent & 63U));
    line += ' ';
  }
  return line + "| " + outcome_words(view);
}

WatchLines::WatchLines(Executor executor, StreamClient::Options stream, std::ostream& out,
                       std::ostream& notes)
    : client_(executor, std::move(stream), *this),
      out_(out),
      notes_(notes),
      over_(executor, Timer::time_point::max()) {}

Task<Expected<void>> WatchLines::run() {
  using boost::asio::experimental::awaitable_operators::operator||;
  co_await (client_.run() || over_.async_wait(kResult));
  if (is_over_) co_return Expected<void>{};
  co_return refuse(ErrorCode::kUnavailable, closed_because_);
}

void WatchLines::on_link(const Link& link) {
  if (link.phase == Link::Phase::kWaiting)
    notes_ << link.why << " Trying again." << '\n' << std::flush;
  if (link.phase == Link::Phase::kClosed) closed_because_ = link.why;
}

void WatchLines::on_welcome(const play::v1::Welcome&) {}

void WatchLines::on_snapshot(const play::v1::Snapshot& snapshot) {
  Game2048View view;
  if (snapshot.view().UnpackTo(&view))
    out_ << line_of(snapshot.version(), "now", view) << '\n' << std::flush;
  end_with(snapshot.has_result());
}

void WatchLines::on_event(const play::v1::Event& event) {
  game::v1::Game2048Event happened;
  if (event.body().UnpackTo(&happened)) {
    const std::string what = direction_word(happened.move().direction());
    out_ << line_of(event.version(), what, happened.view()) << '\n' << std::flush;
  }
  end_with(event.has_result());
}

void WatchLines::on_refusal(const play::v1::Refusal&) {}

void WatchLines::end_with(bool over) {
  if (!over) return;
  is_over_ = true;
  over_.cancel();
}

}  // namespace tesela::cli
