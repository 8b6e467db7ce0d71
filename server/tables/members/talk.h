// The chat of a table. Messages are not stored, but with a report.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/frame.h"
#include "server/store/moderation.h"
#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/members/members.h"
#include "server/tables/members/seating.h"

namespace tesela::tables {

/// One thread: the table's.
class Talk {
 public:
  /// The references outlive it.
  Talk(const Position& position, Members& members, const Seating& seating, const TableHost& host)
      : position_(position), members_(members), seating_(seating), host_(host) {}

  /// Sends the message to all present members who do not mute or block the speaker, or refuses it:
  /// the table's options forbid it, its text is not acceptable, or the speaker is beyond the rate
  /// limit. Without effect when the speaker has left or the table has ended.
  void say(MemberId speaker, const codec::Say& what);
  /// Mutes or unmutes another player for this member, if it has not left.
  void mute(MemberId listener, const codec::Mute& mute);
  /// This member hears none of the players, until it unmutes them.
  void block(MemberId listener, std::vector<PlayerId> players);
  /// The last limits::kTalkKept messages since the table was loaded, the oldest first.
  [[nodiscard]] const std::vector<store::ReportLine>& last() const { return last_; }

 private:
  void remember(PlayerId speaker, const codec::Say& what, std::int64_t at_ms);
  [[nodiscard]] Expected<void> may_say(const Member& member, const codec::Say& what) const;

  const Position& position_;
  Members& members_;
  const Seating& seating_;
  const TableHost& host_;
  std::vector<store::ReportLine> last_;
};

}  // namespace tesela::tables
