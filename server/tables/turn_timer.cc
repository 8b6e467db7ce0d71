#include "server/tables/turn_timer.h"

#include <cstdlib>
#include <utility>
#include <vector>

#include "server/base/absence_limits.h"
#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/base/text_encoding.h"

namespace tesela::tables {

using std::chrono::milliseconds;

void TurnTimer::start() {
  games::Clock& clock = position_.clock;
  const auto* seat = position_.on_turn();
  if (!clock.on() || seat == nullptr) return;
  if (!position_.strategy_of(*seat).empty() || members_.presence().connected[seat->seat.value]) {
    clock.resume_turn(base::Moment::now());
    wait();
    return;
  }
  clock.stop();
  time_.start(host_, limits::kClockGrace, [this] { resume(); });
}

void TurnTimer::resume() {
  games::Clock& clock = position_.clock;
  if (!clock.on() || !clock.stopped() || !position_.match) return;
  clock.resume_turn(base::Moment::now());
  wait();
  members_.send_all(frame());
}

void TurnTimer::thaw() {
  if (host_.ended() || !position_.clock.on() || position_.on_turn() == nullptr) return;
  start();
  members_.send_all(frame());
}

void TurnTimer::begin_turn_as_shown() {
  if (!position_.clock.on()) return;
  const auto now = base::Moment::now();
  if (position_.clock.spent_ms(now) <= limits::kStoreTimeFree.count()) return;
  position_.clock.resume_turn(now);
  if (position_.match->turn()) members_.send_all(frame());
}

void TurnTimer::extend_turn_since(std::chrono::steady_clock::time_point sent) {
  const auto waited =
      std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - sent);
  if (!runs() || waited <= limits::kStoreTimeFree) return;
  position_.clock.extend_turn(waited);
  members_.send_all(frame());
  wait();
}

bool TurnTimer::runs() const {
  return position_.clock.on() && !position_.clock.stopped() && position_.on_turn() != nullptr;
}

codec::FramePtr TurnTimer::frame() const {
  if (!position_.clock.on() || !position_.match) return nullptr;
  return codec::clocks_frame(position_.clock, base::Moment::now(), position_.match->turn());
}

void TurnTimer::wait() {
  const games::Clock& clock = position_.clock;
  if (!clock.on()) return;
  if (!clock.stopped()) time_.cancel();
  const auto* seat = position_.on_turn();
  if (seat == nullptr || !position_.strategy_of(*seat).empty()) return;
  const auto left_ms = clock.turn_left_ms(seat->seat, base::Moment::now());
  if (!left_ms) return;
  if (notices_ != nullptr && position_.by_days()) tell(*seat, milliseconds{*left_ms});
  time_.start(host_, milliseconds{*left_ms}, [this] {
    if (position_.time_is_over()) {
      bots_.ask(milliseconds{0});
    } else {
      wait();
    }
  });
}

void TurnTimer::tell(const store::SeatRow& on_turn, milliseconds left) {
  const std::int64_t now_ms = base::unix_ms();
  const std::int64_t until_ms = now_ms + left.count();
  const bool changed = std::abs(until_ms - told_until_ms_) > limits::kTurnEndChange.count();
  if (told_version_ == position_.version && !changed) return;
  told_version_ = position_.version;
  told_until_ms_ = until_ms;
  const store::TableRow& row = position_.row;
  store::NewNotice turn{.kind = store::NoticeKind::kYourTurn,
                        .player = on_turn.player,
                        .subject = base::to_text(row.id),
                        .table = row.id,
                        .from = {},
                        .version = position_.version,
                        .due_ms = {},
                        .until_ms = until_ms};
  if (row.seats.size() == 2) {
    turn.from = row.seats[row.seats.front().player == on_turn.player ? 1 : 0].player;
  }
  // Also who is there and not welcomed yet knows it. A line may be dead, and a tab forgotten.
  const bool there = members_.connected(on_turn.player);
  turn.due_ms = now_ms + (there ? limits::kTurnSeen.count() : 0);
  std::vector<store::NewNotice> notices{turn};
  if (left > limits::kTimeShort) {
    turn.kind = store::NoticeKind::kTimeShort;
    turn.due_ms = until_ms - limits::kTimeShort.count();
    notices.push_back(std::move(turn));
  }
  notices_->add(std::move(notices));
}

}  // namespace tesela::tables
