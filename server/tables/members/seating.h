// Who sits at a table and who is connected, as its members are told.
#pragma once

#include <optional>

#include "engine/core/ids.h"
#include "server/codec/frame.h"
#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/members/members.h"

namespace tesela::tables {

/// What there is to be seen of a table that lives.
struct LiveView {
  codec::FramePtr seating;  // with who is connected
  codec::FramePtr clocks;   // none without clocks, and before the game begins
};

/// One thread: the table's.
class Seating {
 public:
  /// All outlive it. `rematch`: where the game goes on once more, if somebody has asked.
  Seating(const Position& position, Members& members, TableHost& host,
          std::optional<TableId> rematch)
      : position_(position), members_(members), host_(host), rematch_(rematch) {}

  [[nodiscard]] codec::Seating now() const;
  /// Seats have changed, or what stands beside them: everybody is told now. Ends the streams of
  /// those who may not watch any more.
  void tell();
  void offer_rematch(TableId table);

  /// Somebody has come or gone: everybody is told after a pause, once for a crowd.
  void presence_changed();
  /// Everybody here knows who is: the first who came has been told by the Welcome, or nobody is.
  void presence_is_told() { told_ = members_.presence(); }

 private:
  const Position& position_;
  Members& members_;
  TableHost& host_;
  std::optional<TableId> rematch_;
  Presence told_;
  bool tells_soon_ = false;
  Alarm pause_;
};

}  // namespace tesela::tables
