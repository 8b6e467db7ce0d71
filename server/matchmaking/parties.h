// Parties: players who want to sit at one table, until all of them have called.
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

  /// Adds a member at `now`. If the party is complete, removes and returns it; otherwise returns an
  /// empty list. A player alone is a party. Error: kInvalidArgument when the member's request
  /// differs from that of the party.
  [[nodiscard]] Expected<Searches> add(std::shared_ptr<Search> member, Time now);

  /// Removes the parties that a member has left, and those that began before `oldest`. Returns
  /// their members.
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
