#include "server/accounts/ended_sessions.h"

#include <mutex>

#include "server/base/scale_limits.h"

namespace tesela::accounts {

void EndedSessions::end(SessionId session, Time now) {
  const std::scoped_lock lock(mutex_);
  while (!forgotten_at_.empty() &&
         (forgotten_at_.front().first <= now || ended_.size() >= limits::kEndedSessionsMax)) {
    ended_.erase(forgotten_at_.front().second);
    forgotten_at_.pop_front();
  }
  if (!ended_.insert(session).second) return;
  forgotten_at_.emplace_back(now + remembered_, session);
  const auto [begin, end] = held_.equal_range(session);
  for (auto held = begin; held != end; ++held) held->second();
}

Expected<void> EndedSessions::admit(SessionId session) const {
  const std::shared_lock lock(mutex_);
  if (has(session)) return session_ended();
  return {};
}

Expected<EndedSessions::Hold> EndedSessions::hold(SessionId session, std::function<void()> end) {
  if (session == SessionId{}) return Hold{};
  const std::scoped_lock lock(mutex_);
  if (has(session)) return session_ended();
  return Hold{*this, held_.emplace(session, std::move(end))};
}

void EndedSessions::release(Held::iterator held) {
  const std::scoped_lock lock(mutex_);
  held_.erase(held);
}

std::unexpected<Error> session_ended() {
  return refuse(ErrorCode::kSessionEnded,
                "You were signed out here, by you or from another device; sign in again.");
}

}  // namespace tesela::accounts
