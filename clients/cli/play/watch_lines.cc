#include "clients/cli/play/watch_lines.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <ostream>
#include <utility>

#include "clients/cli/table/table_talk.h"

namespace tesela::cli {
WatchLines::WatchLines(Executor executor, StreamClient::Options stream, std::ostream& out,
                       std::ostream& notes)
    : client_(executor, std::move(stream), *this),
      lines_(out),
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

void WatchLines::on_welcome(const play::v1::Welcome& welcome) {
  on_seating(welcome.seating());
  if (lines_.open(welcome.game())) return;
  notes_ << "The game " << welcome.game() << " cannot be shown here yet.\n";
}

void WatchLines::on_snapshot(const play::v1::Snapshot& snapshot) {
  lines_.tell(snapshot);
  end_with(snapshot.has_result());
}

void WatchLines::on_event(const play::v1::Event& event) {
  lines_.tell(event);
  end_with(event.has_result());
}

void WatchLines::on_seating(const play::v1::Seating& seating) {
  lines_.take(seating);
}

void WatchLines::on_clocks(const play::v1::Clocks&) {}

void WatchLines::on_said(const play::v1::Said& said) {
  notes_ << said_words(said) << '\n' << std::flush;
}

void WatchLines::on_refusal(const play::v1::Refusal&) {}

void WatchLines::end_with(bool over) {
  if (!over) return;
  is_over_ = true;
  over_.cancel();
}

}  // namespace tesela::cli
