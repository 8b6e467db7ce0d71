// Who is asking.
#pragma once

#include <string>

#include "engine/core/ids.h"

namespace tesela::accounts {

struct Identity {
  PlayerId player;
  std::string display_name;
  bool of_issuer{};            // vouched for by the operator's issuer: perhaps not yet in the store
  std::string account_hash{};  // of such a player: store::PlayerRow::identity

  friend bool operator==(const Identity&, const Identity&) = default;
};

}  // namespace tesela::accounts
