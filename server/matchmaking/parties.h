// Players who have agreed to sit together, until the last of them has come.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/matchmaking/search.h"

namespace tesela::matchmaking {

using Searches = std::vector<std::shared_ptr<Search>>;

/// One thread.
class Parties {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Adds a member at `now`. Gives the whole party when it is the last, and forgets it; else
  /// nobody. A player alone is a party. Errors: kInvalidArgument when the member asks for
  /// something else than those who are there.
  [[nodiscard]] Expected<Searches> add(std::shared_ptr<Search> member, Time now);

  /// Forgets the parties of which a member is gone, and those that began before `oldest`. Their
  /// members.
  [[nodiscard]] Searches broken();
  [[nodiscard]] Searches older_than(Time oldest);

 private:
  struct Party {
    Searches members;
    Time since;
  };
  template <class Which>
  Searches take(Which which);

  std::map<std::string, Party> parties_;  // by code
};

}  // namespace tesela::matchmaking
