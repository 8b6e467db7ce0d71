// Talk at a table: who may say what, and who hears it. None of it is in the log.
#pragma once

#include "engine/core/result.h"
#include "server/codec/frame.h"
#include "server/tables/members/members.h"
#include "server/tables/members/seating.h"

namespace tesela::tables {

/// One thread: the table's.
class Talk {
 public:
  /// All outlive it.
  Talk(const Position& position, Members& members, const Seating& seating)
      : position_(position), members_(members), seating_(seating) {}

  /// Heard by all who are present and do not mute the speaker; or the speaker is refused.
  void say(Member& speaker, const codec::Say& what);
  static void mute(Member& member, const codec::Mute& mute);

 private:
  [[nodiscard]] Expected<void> may_say(const Member& member, const codec::Say& what) const;

  const Position& position_;
  Members& members_;
  const Seating& seating_;
};

}  // namespace tesela::tables
