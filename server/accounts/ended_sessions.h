// The sessions whose tokens are refused, and what ends with a session.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <shared_mutex>
#include <unordered_set>
#include <utility>

#include "engine/core/ids.h"
#include "engine/core/result.h"

namespace tesela::accounts {

/// Any thread.
class EndedSessions {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// What was registered by `hold`, until it is destroyed. Move-only. Must not outlive its
  /// EndedSessions.
  class Hold;

  /// A session is kept in mind for `remembered`, the time to live of its newest token.
  explicit EndedSessions(std::chrono::seconds remembered) : remembered_(remembered) {}
  EndedSessions(const EndedSessions&) = delete;
  EndedSessions& operator=(const EndedSessions&) = delete;

  /// From now on the session is refused, and what it holds open ends. May be repeated. Beyond
  /// limits::kEndedSessionsMax the one that came first is forgotten.
  void end(SessionId session, Time now = std::chrono::steady_clock::now());

  /// Error: kSessionEnded. The session 0, of tokens without one, never ends.
  [[nodiscard]] Expected<void> admit(SessionId session) const;

  /// Calls `end` at most once, when the session ends: under a lock, on any thread, so it hands its
  /// work over and uses nothing of this class. Error: kSessionEnded, if it has ended.
  [[nodiscard]] Expected<Hold> hold(SessionId session, std::function<void()> end);

 private:
  using Held = std::multimap<SessionId, std::function<void()>>;

  [[nodiscard]] bool has(SessionId session) const { return ended_.contains(session); }
  void release(Held::iterator held);

  const std::chrono::seconds remembered_;
  mutable std::shared_mutex mutex_;  // guards all below
  std::unordered_set<SessionId> ended_;
  std::deque<std::pair<Time, SessionId>> forgotten_at_;  // the first to go in front
  Held held_;
};

class EndedSessions::Hold {
 public:
  Hold() = default;
  Hold(Hold&& other) noexcept
      : sessions_(std::exchange(other.sessions_, nullptr)), held_(other.held_) {}
  Hold& operator=(Hold&& other) noexcept {
    std::swap(sessions_, other.sessions_);
    std::swap(held_, other.held_);
    return *this;
  }
  ~Hold() {
    if (sessions_ != nullptr) sessions_->release(held_);
  }

 private:
  friend class EndedSessions;
  Hold(EndedSessions& sessions, Held::iterator held) : sessions_(&sessions), held_(held) {}

  EndedSessions* sessions_{};  // null: nothing is held
  Held::iterator held_{};
};

/// The error for a token whose session has ended.
[[nodiscard]] std::unexpected<Error> session_ended();

}  // namespace tesela::accounts
