#include "server/matchmaking/parties.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tesela::matchmaking {
namespace {

bool ask_alike(const Seeker& a, const Seeker& b) {
  return std::tie(a.queue, a.bots, a.party_size) == std::tie(b.queue, b.bots, b.party_size);
}

}  // namespace

Expected<Searches> Parties::add(std::shared_ptr<Search> member, Time now) {
  const Seeker& seeker = member->seeker();
  if (seeker.party.empty()) return Searches{std::move(member)};
  auto& [members, since] = parties_.try_emplace(seeker.party, Party{{}, now}).first->second;
  if (!members.empty() && !ask_alike(members.front()->seeker(), seeker)) {
    return refuse(
        ErrorCode::kInvalidArgument,
        "The others of the party ask for something else: game, configuration, mode, pace, bots "
        "and size must be the same for all.");
  }
  members.push_back(std::move(member));
  if (members.size() == seeker.party_size) {
    return std::move(parties_.extract(seeker.party).mapped().members);
  }
  const SearchNews news{.position = 0, .estimate_ms = {}, .present = members};
  for (const auto& one : members) one->searching(news);
  return Searches{};
}

template <class Which>
Searches Parties::take(Which which) {
  Searches taken;
  std::erase_if(parties_, [&](const auto& entry) {
    const Party& party = entry.second;
    if (!which(party)) return false;
    taken.insert(taken.end(), party.members.begin(), party.members.end());
    return true;
  });
  return taken;
}

Searches Parties::broken() {
  return take([](const Party& party) {
    return std::ranges::any_of(party.members, [](const auto& member) { return member->gone(); });
  });
}

Searches Parties::older_than(Time oldest) {
  return take([oldest](const Party& party) { return party.since < oldest; });
}

}  // namespace tesela::matchmaking
