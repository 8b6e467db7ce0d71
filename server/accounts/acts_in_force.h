// What operators have forbidden players for now, and announce.
#pragma once

#include <cstdint>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/clock.h"
#include "server/codec/said_frame.h"
#include "server/store/moderation.h"

namespace tesela::accounts {

/// Any thread.
class ActsInForce {
 public:
  /// Takes an act in, or out again if it was undone. Whether that has changed anything.
  bool set(const store::ActRow& act);
  /// Nothing is in force on a player who was erased.
  void forget(PlayerId player);

  /// Whether the player may get into a game. Errors: kSuspended, kBanned, with the operator's
  /// reason and the end.
  [[nodiscard]] Expected<void> may_play(PlayerId player,
                                        std::int64_t now_ms = base::unix_ms()) const;
  /// Whether the player may go on with one. Error: kBanned.
  [[nodiscard]] Expected<void> may_stay(PlayerId player,
                                        std::int64_t now_ms = base::unix_ms()) const;
  /// Whether the player may talk. Error: kPermissionDenied.
  [[nodiscard]] Expected<void> may_talk(PlayerId player,
                                        std::int64_t now_ms = base::unix_ms()) const;
  /// Whether the player may search for opponents. Errors: also kPaused.
  [[nodiscard]] Expected<void> may_seek(PlayerId player,
                                        std::int64_t now_ms = base::unix_ms()) const;
  /// Whether new guests and members may sign in. Error: kPaused.
  [[nodiscard]] Expected<void> may_sign_in(std::int64_t now_ms = base::unix_ms()) const;
  /// What was announced last, of what is in force.
  [[nodiscard]] codec::Announcement announcement(std::int64_t now_ms = base::unix_ms()) const;
  /// The neutral name of a player who was renamed.
  [[nodiscard]] std::optional<std::string> name_of(PlayerId player) const;

 private:
  [[nodiscard]] std::optional<store::ActRow> find(PlayerId player, store::ActKind kind,
                                                  std::int64_t now_ms) const;

  mutable std::shared_mutex mutex_;
  std::unordered_map<PlayerId, std::vector<store::ActRow>> acts_;  // under the mutex
};

}  // namespace tesela::accounts
