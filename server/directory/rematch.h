// The rematch of a finished game: its table's id, options and seats.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/accounts/tokens.h"
#include "server/directory/directory.h"
#include "server/store/notices.h"
#include "server/store/table_rows.h"

namespace tesela::directory {

/// A rematch, for the player who asks for it.
struct Rematch {
  NewTable table;           // the first player who asks makes and owns it
  tables::TakeSeat seat{};  // of every later player; the invite is the new table's
};

/// The rematch of `over` for `asker`. Each player moves to the seat before the old one, the first
/// to the last. Errors: kPermissionDenied (`asker` did not play there), kNotOver, kAlreadyTried
/// (`over` was a try at a daily game), kCorrupt.
[[nodiscard]] Expected<Rematch> rematch(const store::TableRow& over,
                                        const accounts::Identity& asker, std::string contribution,
                                        bool contribute_later = false);

/// The id of the rematch of table `over`: the first 63 bits of the SHA-256 of "tesela rematch v1"
/// and the id's text. It follows from the old id, so that all who ask for a rematch get the same
/// table.
[[nodiscard]] TableId rematch_id(TableId over);

/// For the other players of `over` who have no stream at `old`, its live table, which may be null.
[[nodiscard]] std::vector<store::NewNotice> notices_of(const store::TableRow& over,
                                                       const store::TableRow& rematch,
                                                       const tables::Table* old);

}  // namespace tesela::directory
