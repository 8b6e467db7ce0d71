#include "clients/cli/watch_lines.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <ostream>
#include <utility>

#include "clients/cli/screen/screens.h"
#include "clients/cli/screen/seat_names.h"

namespace tesela::cli {
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

void WatchLines::on_welcome(const play::v1::Welcome& welcome) {
  on_seating(welcome.seating());
  if (screen_) return;
  screen_ = make_screen(welcome.game());
  if (screen_ == nullptr) notes_ << "The game " << welcome.game() << " cannot be shown here yet.\n";
}

void WatchLines::on_snapshot(const play::v1::Snapshot& snapshot) {
  if (screen_ && screen_->show(snapshot.view())) tell(snapshot.version(), "now");
  end_with(snapshot.has_result());
}

void WatchLines::on_event(const play::v1::Event& event) {
  if (screen_ && screen_->follow(event, status_))
    tell(event.version(), screen_->move_words(event, status_));
  end_with(event.has_result());
}

void WatchLines::on_seating(const play::v1::Seating& seating) {
  status_.names = names_of(seating);
}

void WatchLines::on_refusal(const play::v1::Refusal&) {}

void WatchLines::tell(std::uint64_t version, const std::string& what) {
  out_ << "version " << version << ' ' << what << ' ' << screen_->line(status_) << '\n'
       << std::flush;
}

void WatchLines::end_with(bool over) {
  if (!over) return;
  is_over_ = true;
  over_.cancel();
}

}  // namespace tesela::cli
