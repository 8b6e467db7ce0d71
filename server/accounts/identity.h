// The authenticated caller of a request.
#pragma once

#include <string>

#include "engine/core/ids.h"

namespace tesela::accounts {

struct Identity {
  PlayerId player;
  std::string display_name;
  bool of_issuer{};            // from the operator's issuer: may not be stored yet
  std::string account_hash{};  // of a player of the issuer, as store::PlayerRow::identity

  friend bool operator==(const Identity&, const Identity&) = default;
};

}  // namespace tesela::accounts
