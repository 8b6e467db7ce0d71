#include "server/games/resignations.h"

namespace tesela::games {

void Resignations::add(Seat seat) {
  ++count_;
  order_.at(seat.value) = count_;
}

bool Resignations::end_the_game(std::uint8_t seats) const {
  return count_ == seats || (count_ > 0 && count_ + 1 == seats);
}

Result Resignations::ranked(Result standings) const {
  if (count_ == 0) return standings;
  const Result before = standings;
  for (std::uint8_t seat = 0; seat < standings.seats; ++seat) {
    std::uint8_t& rank = standings.standings.at(seat).rank;
    rank = 1;
    for (std::uint8_t other = 0; other < standings.seats; ++other) {
      const std::uint8_t mine = order_.at(seat);
      const std::uint8_t theirs = order_.at(other);
      const bool better = mine == 0 ? theirs == 0 && before.standings.at(other).rank <
                                                         before.standings.at(seat).rank
                                    : theirs == 0 || theirs > mine;
      if (better) ++rank;
    }
  }
  return standings;
}

}  // namespace tesela::games
