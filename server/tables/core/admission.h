// Who may come to a table that is not for everybody.
#pragma once

#include <optional>
#include <string_view>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/store.h"

namespace tesela::tables {

/// Whether the table's invite may be told to a player: who made it, and who sits there.
[[nodiscard]] bool may_invite(const store::TableRow& table, std::optional<PlayerId> player);

/// Whether somebody may come to the table, to sit down or to watch: at a private table those who
/// may invite, and whoever brings its invite, which is compared in constant time. Error:
/// kInviteNeeded.
[[nodiscard]] Expected<void> admit(const store::TableRow& table, std::optional<PlayerId> player,
                                   std::string_view invite);

}  // namespace tesela::tables
