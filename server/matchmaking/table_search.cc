#include "server/matchmaking/table_search.h"

#include <algorithm>
#include <limits>

namespace tesela::matchmaking {
namespace {

/// Depth first, in the order of the candidates, until a table is full.
class SeatSearch {
 public:
  SeatSearch(std::span<const Candidate> queue, std::span<const Age> candidates, std::size_t seats,
             const Group& alone)
      : queue_(queue), candidates_(candidates), seats_(seats), fullest_(alone) {}

  [[nodiscard]] const Group& fullest() const { return fullest_; }

  void extend(const Group& group, std::size_t from) {
    for (std::size_t i = from; i < candidates_.size() && fullest_.people() < seats_; ++i) {
      const Candidate& candidate = queue_[candidates_[i]];
      if (group.people() + candidate.people() > seats_ || !group.fits(candidate)) continue;
      Group larger = group;
      larger.add(candidates_[i], candidate);
      if (larger.people() > fullest_.people()) fullest_ = larger;
      extend(larger, i + 1);
    }
  }

 private:
  std::span<const Candidate> queue_;
  std::span<const Age> candidates_;
  std::size_t seats_;
  Group fullest_;
};

}  // namespace

Group::Group(Age age, const Candidate& waiting) : low_(waiting.rating), high_(waiting.rating) {
  add(age, waiting);
}

bool Group::spans(const Candidate& waiting, double low, double high) {
  return high - waiting.rating <= waiting.window && waiting.rating - low <= waiting.window;
}

bool Group::fits(const Candidate& waiting) const {
  const double low = std::min(low_, waiting.rating);
  const double high = std::max(high_, waiting.rating);
  return spans(waiting, low, high) &&
         std::ranges::all_of(std::span{members_}.first(size_), [&](const Candidate& member) {
           return spans(member, low, high) && !block_each_other(*member.ticket, *waiting.ticket);
         });
}

void Group::add(Age age, const Candidate& waiting) {
  ages_[size_] = age;
  members_[size_] = waiting;
  ++size_;
  people_ += waiting.people();
  low_ = std::min(low_, waiting.rating);
  high_ = std::max(high_, waiting.rating);
}

Group fullest_group(std::span<const Candidate> queue, Age anchor, std::span<const Age> candidates,
                    std::size_t seats) {
  const Group alone{anchor, queue[anchor]};
  SeatSearch search{queue, candidates, seats, alone};
  search.extend(alone, 0);
  return search.fullest();
}

void RatingIndex::insert(double rating, Age age) {
  rising_.emplace(rating, age);
  falling_.emplace(-rating, age);
}

void RatingIndex::erase(double rating, Age age) {
  rising_.erase({rating, age});
  falling_.erase({-rating, age});
}

void RatingIndex::collect(double rating, double window, std::size_t most,
                          std::vector<Neighbour>& neighbours) const {
  const auto climb = [&](auto rung, auto end, double from) {
    for (std::size_t looks = 0; rung != end && looks < most; ++rung, ++looks) {
      const double distance = rung->first - from;
      if (distance > window) return;
      neighbours.push_back({distance, rung->second});
    }
  };
  climb(rising_.lower_bound({rating, 0}), rising_.end(), rating);
  climb(falling_.upper_bound({-rating, std::numeric_limits<Age>::max()}), falling_.end(), -rating);
}

}  // namespace tesela::matchmaking
