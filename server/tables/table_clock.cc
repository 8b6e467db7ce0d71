// The clocks at a Table: whose time runs, and what happens when it is over.
#include <algorithm>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/tables/table.h"

namespace tesela::tables {

using std::chrono::milliseconds;

const store::SeatRow* Table::on_turn() const {
  const auto turn = match_ ? match_->turn() : std::nullopt;
  if (!turn) return nullptr;
  const auto seat = std::ranges::find(row_.seats, *turn, &store::SeatRow::seat);
  return seat == row_.seats.end() ? nullptr : &*seat;
}

bool Table::time_is_over() const {
  return clock_.on() && time_is_over(base::unix_ms());
}

bool Table::time_is_over(std::int64_t at_ms) const {
  const auto* seat = on_turn();
  const auto deadline_ms = seat == nullptr ? std::nullopt : clock_.deadline_ms(seat->seat);
  return deadline_ms && at_ms >= *deadline_ms;
}

/// A game begins, or the table was read back: the time runs once the player on turn is there.
void Table::start_clock() {
  const auto* seat = on_turn();
  if (!clock_.on() || seat == nullptr) return;
  if (!strategy_of(*seat).empty() || presence().connected[seat->seat.value]) {
    clock_.begin_turn(base::unix_ms());
    wait_for_time();
    return;
  }
  clock_.stop();
  start(time_, limits::kClockGrace, [this] { resume_clock(); });
}

void Table::resume_clock() {
  if (!clock_.on() || !clock_.stopped() || !match_) return;
  clock_.begin_turn(base::unix_ms());
  wait_for_time();
  tell_clocks();
}

/// Nobody thinks about a position that is not shown: what the store took, beyond what is usual, is
/// charged to nobody.
void Table::begin_turn_as_shown() {
  if (!clock_.on() || base::unix_ms() - at_ms_ <= limits::kStoreTimeFree.count()) return;
  clock_.begin_turn(base::unix_ms());
  if (match_->turn()) tell_clocks();
}

void Table::tell_clocks() {
  const auto frame = clocks();
  for (auto& member : members_) {
    if (member.present) send(member, frame);
  }
}

codec::FramePtr Table::clocks() const {
  return codec::clocks_frame(clock_, base::unix_ms(), match_->turn());
}

void Table::wait_for_time() {
  if (!clock_.on()) return;
  if (time_ && !clock_.stopped()) time_->cancel();
  const auto* seat = on_turn();
  if (seat == nullptr || !strategy_of(*seat).empty()) return;
  const auto deadline_ms = clock_.deadline_ms(seat->seat);
  if (!deadline_ms) return;
  // The wall clock may be set meanwhile: looked at again when the time seems over.
  start(time_, milliseconds{*deadline_ms - base::unix_ms()}, [this] {
    if (time_is_over()) {
      ask_bot(milliseconds{0});
    } else {
      wait_for_time();
    }
  });
}

}  // namespace tesela::tables
