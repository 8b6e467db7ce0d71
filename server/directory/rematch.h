// The same game once more: which table that is, and how it is made.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/accounts/tokens.h"
#include "server/directory/directory.h"
#include "server/store/store.h"

namespace tesela::directory {

/// Where whoever asks for a rematch sits.
struct Rematch {
  NewTable table;           // as the first who asks makes it, and owns it
  tables::TakeSeat seat{};  // as every later one takes it; the invite is the new table's
};

/// The rematch of `over` for somebody who asks. Everybody sits one seat earlier than before, the
/// first on the last. Errors: kPermissionDenied (did not play there), kNotOver,
/// kAlreadyTried (it was a try at a daily game), kCorrupt.
[[nodiscard]] Expected<Rematch> rematch(const store::TableRow& over,
                                        const accounts::Identity& asker, std::string contribution,
                                        bool contribute_later = false);

}  // namespace tesela::directory
