#include "server/tables/core/admission.h"

#include <algorithm>

#include "server/base/same_secret.h"

namespace tesela::tables {

bool may_invite(const store::TableRow& table, std::optional<PlayerId> player) {
  if (!player) return false;
  return *player == table.owner ||
         std::ranges::find(table.seats, *player, &store::SeatRow::player) != table.seats.end();
}

Expected<void> admit(const store::TableRow& table, std::optional<PlayerId> player,
                     std::string_view invite) {
  if (table.invite.empty() || may_invite(table, player) ||
      base::same_secret(invite, table.invite)) {
    return {};
  }
  return refuse(ErrorCode::kInviteNeeded,
                invite.empty()
                    ? "This table is private: ask one of its players for the invite."
                    : "This is not the invite of this table: ask one of its players for it.");
}

}  // namespace tesela::tables
