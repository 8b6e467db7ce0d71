// What AdminService shows of one table: a game that is stuck is found by it.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/directory/directory.h"
#include "server/directory/operator_access.h"
#include "server/ops/config.h"
#include "server/services/history/replays.h"
#include "server/store/event_log.h"
#include "server/store/snapshots.h"
#include "server/store/table_rows.h"
#include "tesela/admin/v1/table.pb.h"

namespace tesela::ops {

/// Any thread.
class TableInspection {
 public:
  /// What it uses; outlives it.
  struct Parts {
    const Config& config;
    store::EventReader& log;
    store::Snapshots& snapshots;
    store::TableRows& table_rows;
    directory::Directory& directory;
  };

  explicit TableInspection(Parts parts) : parts_(parts) {}

  /// AdminService.InspectTable. A table whose log is damaged is shown as far as it can be read; one
  /// in memory is shown while the store is away, without its last moves.
  boost::asio::awaitable<Expected<admin::v1::InspectTableResponse>> inspect(TableId id);

 private:
  /// Of a table that is not in memory.
  boost::asio::awaitable<Expected<store::TableRow>> add_stored(
      TableId id, admin::v1::InspectTableResponse& shown);
  boost::asio::awaitable<Expected<void>> add_recent(TableId id,
                                                    admin::v1::InspectTableResponse& shown);
  void add_end(const store::TableRow& row, admin::v1::InspectTableResponse& shown) const;

  const Parts parts_;
  directory::OperatorAccess tables_{parts_.directory};
  services::Replays replays_{
      parts_.directory.aside(), {parts_.log, parts_.snapshots}, parts_.table_rows};
};

}  // namespace tesela::ops
