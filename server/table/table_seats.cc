// The seats of a Table: who takes which, and who is told.
#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "server/codec/id_text.h"
#include "server/store/refusals.h"
#include "server/store/suspend.h"
#include "server/table/table.h"

namespace tesela::table {

using boost::asio::awaitable;

std::optional<Seat> Table::seat_of(PlayerId player) const {
  const auto found = std::ranges::find(row_.seats, player, &store::SeatRow::player);
  if (found == row_.seats.end()) return std::nullopt;
  return found->seat;
}

awaitable<Expected<store::TableRow>> Table::take_seat(PlayerId player, std::string name,
                                                      std::optional<Seat> seat) {
  SeatCommand wish{.player = player, .name = std::move(name), .seat = seat, .answer = {}};
  return store::suspend<store::TableRow>(
      [this, wish = std::move(wish)](store::Executor executor, auto resume) mutable {
        // Never from inside this call, which the consumer of the inbox may be.
        wish.answer = [executor = std::move(executor),
                       resume = std::move(resume)](Expected<store::TableRow> seated) mutable {
          boost::asio::post(executor,
                            [resume = std::move(resume), seated = std::move(seated)]() mutable {
                              resume(std::move(seated));
                            });
        };
        if (farewell_ || inbox_.full()) {
          wish.answer(closes());
        } else {
          static_cast<void>(command(std::move(wish)));
        }
      });
}

Expected<Seat> Table::free_seat(const SeatCommand& command) const {
  const auto taken = [this](Seat seat) {
    return std::ranges::find(row_.seats, seat, &store::SeatRow::seat) != row_.seats.end();
  };
  if (command.seat) {
    if (command.seat->value >= row_.seat_count) return store::no_such_seat(row_.seat_count);
    if (taken(*command.seat)) return store::seat_taken();
    return *command.seat;
  }
  for (std::uint8_t seat = 0; seat < row_.seat_count; ++seat) {
    if (!taken(Seat{seat})) return Seat{seat};
  }
  return refuse(ErrorCode::kSeatTaken, "Every seat of this table is taken.");
}

awaitable<Expected<store::TableRow>> Table::seat(const SeatCommand& command) {
  if (const auto present = seat_of(command.player)) {
    if (!command.seat || *command.seat == *present) co_return row_;
    co_return refuse(ErrorCode::kSeatTaken, "You sit at this table already, on seat " +
                                                std::to_string(present->value) + ".");
  }
  const auto seat = free_seat(command);
  if (!seat) co_return std::unexpected(seat.error());
  const store::SeatClaim claim{
      .table = row_.id, .epoch = row_.epoch, .seat = *seat, .player = command.player};
  if (auto stored = co_await store_.take_seat(claim); !stored) {
    const auto code = stored.error().code;
    // The token outlived the player: somebody put a new database under the old key.
    if (code == ErrorCode::kNotFound) {
      co_return refuse(ErrorCode::kUnauthenticated, "The player is not known here; sign in again.");
    }
    if (code == ErrorCode::kFenced || code == ErrorCode::kInternal) lose(stored.error());
    co_return std::unexpected(std::move(stored.error()));
  }
  row_.seats.push_back({.seat = *seat, .player = command.player, .display_name = command.name});
  std::ranges::sort(row_.seats, {}, &store::SeatRow::seat);
  if (row_.seats.size() == row_.seat_count) row_.state = store::TableState::kInPlay;
  for (auto& member : members_) {
    if (member.player == command.player) member.seat = *seat;
    if (member.present) send(member, codec::seating_frame(seating(), member.seat));
  }
  changed_(row_);
  co_return row_;
}

codec::Seating Table::seating() const {
  codec::Seating out{.seats = {}, .seat_count = row_.seat_count};
  for (const auto& seat : row_.seats) {
    out.seats.push_back({.seat = seat.seat,
                         .player_id = codec::to_text(seat.player),
                         .display_name = seat.display_name});
  }
  return out;
}

}  // namespace tesela::table
