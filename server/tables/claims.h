// Answers the claims of players whose opponents are away.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>

#include "engine/core/ids.h"
#include "server/codec/frame.h"
#include "server/tables/core/command.h"
#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/members/members.h"
#include "server/tables/members/seating.h"
#include "server/tables/resent_moves.h"
#include "server/tables/seat_changes.h"

namespace tesela::tables {

/// One thread: the table's.
class Claims {
 public:
  /// The references outlive it.
  Claims(const Position& position, Members& members, const Seating& seating, SeatChanges& seats,
         ResentMoves& resent, TableHost& host)
      : position_(position),
        members_(members),
        seating_(seating),
        seats_(seats),
        resent_(resent),
        host_(host) {}

  /// Queues the claim in the table's inbox. False, without effect, when the inbox is full. It is
  /// dropped when the member has left or the table has ended.
  [[nodiscard]] bool make(MemberId member, codec::Claim claim);
  /// Refuses the claim, or lets a strategy play the seat. A claimed resignation is returned: the
  /// table plays it as it does any other. One that was played before is answered with its event.
  [[nodiscard]] boost::asio::awaitable<std::optional<MoveCommand>> answer(ClaimCommand command);

 private:
  [[nodiscard]] std::optional<Refusal> refusal_of(const Member& claimant,
                                                  const codec::Claim& claim) const;
  /// Whether the player of the seat is away for long enough.
  [[nodiscard]] std::optional<Refusal> still_there(const store::SeatRow& seat) const;

  const Position& position_;
  Members& members_;
  const Seating& seating_;
  SeatChanges& seats_;
  ResentMoves& resent_;
  TableHost& host_;
};

}  // namespace tesela::tables
