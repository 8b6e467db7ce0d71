// What waits for the writer.
#pragma once

#include <string>
#include <variant>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/event_log.h"
#include "server/store/store.h"
#include "server/store/suspend.h"

namespace tesela::store {

struct AddPlayer {
  PlayerRow player;
};

struct AddTable {
  TableRow table;
  std::string record;  // of version 1
};

struct Claim {
  TableId table;
};

/// One write and the call that waits for it.
struct Write {
  std::variant<Append, AddPlayer, AddTable, SeatClaim, Claim> request;
  Executor executor;
  Resume<Epoch> resume;
  Expected<Epoch> outcome{};  // the table's epoch after the write; 0 where there is no table
};

}  // namespace tesela::store
