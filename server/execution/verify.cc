#include "server/execution/verify.h"

#include <tesela/play/v1/course.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/game.h"
#include "server/codec/record.h"
#include "server/execution/execution.h"
#include "server/execution/record_fields.h"
#include "server/execution/undo_history.h"
#include "server/games/codec_parts.h"
#include "server/games/fair.h"
#include "server/games/games.h"

namespace tesela::execution {
namespace {

std::unexpected<Error> untrue(std::string what) {
  return refuse(ErrorCode::kCorrupt, std::move(what));
}

std::unexpected<Error> untrue_at(std::uint64_t version, const std::string& what) {
  return untrue("Version " + std::to_string(version) + ": " + what);
}

/// The number of seats that the table says it has; empty where no game has so many.
std::optional<std::uint8_t> seats_of(const lobby::v1::GameRecord& record) {
  const std::uint32_t seats = record.table().seat_count();
  return seats <= kSeatsMax ? std::optional{static_cast<std::uint8_t>(seats)} : std::nullopt;
}

std::unexpected<Error> too_many_seats(const lobby::v1::GameRecord& record) {
  return untrue("The table says that it has " + std::to_string(record.table().seat_count()) +
                " seats. No game has more than " + std::to_string(kSeatsMax) + ".");
}

/// The commitment that follows from the server's seed; empty without a seed, or where no game has
/// so many seats.
std::string commitment_of(const lobby::v1::GameRecord& record) {
  const auto seed = games::seed_of(record.server_seed());
  const auto seats = seats_of(record);
  if (!seed || !seats) return {};
  const auto hash = games::commitment(
      *seed, {.game = record.table().game(), .config = record.config(), .seats = *seats});
  return {hash.begin(), hash.end()};
}

/// The seats that have added to the dice, by the table, and whose contributions are not in the
/// record: an operator has erased their players. The dice of such a game prove nothing any more.
std::vector<std::uint32_t> erased_seats(const lobby::v1::GameRecord& record) {
  std::vector<std::uint32_t> seats;
  for (const auto& seat : record.table().seats()) {
    const auto state = seat.contribution();
    const bool says_added = state == play::v1::CONTRIBUTION_STATE_AFTER_COMMITMENT ||
                            state == play::v1::CONTRIBUTION_STATE_WITH_SEAT;
    const bool added = std::ranges::any_of(
        record.contributions(), [&](const auto& one) { return one.seat() == seat.seat(); });
    if (says_added && !added) seats.push_back(seat.seat());
  }
  return seats;
}

/// Whether the server's seed is the one of the commitment.
Expected<void> check_commitment(const lobby::v1::GameRecord& record) {
  if (!games::seed_of(record.server_seed())) {
    return untrue("The server's seed is not 32 bytes long.");
  }
  if (!seats_of(record)) return too_many_seats(record);
  if (commitment_of(record) == record.table().commitment()) return {};
  return untrue("The server's seed is not the one that it had committed itself to.");
}

Expected<void> check_promise(const lobby::v1::GameRecord& record) {
  if (record.server_seed().empty() && record.table().commitment().empty()) {
    return untrue(
        "The record holds no promise of the server, neither its seed nor its commitment: nobody "
        "can tell whether its dice were chosen.");
  }
  if (auto kept = check_commitment(record); !kept) return kept;
  if (const auto seats = erased_seats(record); !seats.empty()) {
    return untrue("What seat " + std::to_string(seats.front()) +
                  " added to the dice is not in the record: it was erased with its player. The "
                  "server's seed is the one that it had committed itself to, but nobody can tell "
                  "any more whether the dice follow from it.");
  }
  const auto server_seed = games::seed_of(record.server_seed());
  std::vector<games::Contribution> contributions;
  for (const auto& contribution : record.contributions()) {
    if (contribution.seat() >= kSeatsMax) return untrue("A contribution belongs to no seat.");
    contributions.push_back(
        {Seat{static_cast<std::uint8_t>(contribution.seat())}, contribution.bytes()});
  }
  const auto mixed = games::game_seed(*server_seed, contributions);
  if (!mixed) return std::unexpected(mixed.error());
  if (games::seed_of(record.game_seed()) != mixed) {
    return untrue("The dice were not keyed by the server's seed and the players' contributions.");
  }
  return {};
}

/// The record of version 1.
Expected<codec::Record> dealt(const lobby::v1::GameRecord& record) {
  const auto seed = games::seed_of(record.game_seed());
  if (!seed) return untrue("The record has no seed: is the game over?");
  const auto seats = seats_of(record);
  if (!seats) return too_many_seats(record);
  return codec::Record{.at_ms = record.dealt_at_ms(),
                       .event = codec::Created{.game = record.table().game(),
                                               .config = record.config(),
                                               .seed = *seed,
                                               .seats = *seats},
                       .digest = record.first_digest()};
}

/// Refuses other fields in a resignation or an undo.
Expected<void> check_bare(const lobby::v1::RecordedMove& move) {
  if (move.strategy().empty() && move.spent_ms() == 0 && !move.timed_out()) return {};
  return untrue("it is no move, and has neither a strategy nor a clock.");
}

Expected<codec::Event> resigned_by(Seat seat, const lobby::v1::RecordedMove& move) {
  if (auto bare = check_bare(move); !bare) return std::unexpected(std::move(bare.error()));
  play::v1::Resigned resigned;
  const bool parsed = resigned.ParseFromString(move.move().value());
  resigned.DiscardUnknownFields();
  if (!parsed || resigned.SerializeAsString() != move.move().value()) {
    return untrue("what gives up says who has claimed it, and nothing else.");
  }
  codec::Resigned event{.seat = seat, .move_id = move.move_id()};
  if (!resigned.has_claimed_by()) return event;
  if (resigned.claimed_by() >= kSeatsMax || resigned.claimed_by() == seat.value) {
    return untrue("nobody else has such a seat.");
  }
  event.claimed_by = Seat{static_cast<std::uint8_t>(resigned.claimed_by())};
  return event;
}

Expected<codec::Event> taken_back(Seat seat, const lobby::v1::RecordedMove& move) {
  if (auto bare = check_bare(move); !bare) return std::unexpected(std::move(bare.error()));
  play::v1::Undone undone;
  if (!undone.ParseFromString(move.move().value()) || undone.has_view() || seat != Seat{0} ||
      undone.SerializeAsString() != move.move().value()) {
    return untrue("what takes back says a version, and nothing else.");
  }
  return codec::Undone{.move_id = move.move_id(), .to = Version{undone.to_version()}};
}

Expected<codec::Event> event_of(const lobby::v1::RecordedMove& move, std::string_view move_type) {
  if (move.seat() >= kSeatsMax) return untrue("no game has such a seat.");
  const Seat seat{static_cast<std::uint8_t>(move.seat())};
  const std::string& url = move.move().type_url();
  if (url == games::type_url_of(play::v1::Resigned::descriptor()->full_name())) {
    return resigned_by(seat, move);
  }
  if (url == games::type_url_of(play::v1::Undone::descriptor()->full_name())) {
    return taken_back(seat, move);
  }
  if (url != games::type_url_of(move_type)) {
    return untrue("'" + url + "' is no move of the game.");
  }
  return codec::Moved{.seat = seat,
                      .move_id = move.move_id(),
                      .move = move.move().value(),
                      .strategy = move.strategy(),
                      .spent_ms = move.spent_ms(),
                      .timed_out = move.timed_out()};
}

/// The records of all versions, in order.
Expected<std::vector<codec::Record>> records_of(const lobby::v1::GameRecord& record) {
  auto first = dealt(record);
  if (!first) return std::unexpected(std::move(first.error()));
  const auto game = games::find_game(record.table().game());
  if (!game) return std::unexpected(game.error());
  std::vector<codec::Record> records{std::move(*first)};
  records.reserve(1 + static_cast<std::size_t>(record.moves_size()));
  for (const auto& move : record.moves()) {
    const std::uint64_t expected = records.size() + 1;
    if (move.version() != expected) return untrue_at(expected, "it is missing.");
    auto event = event_of(move, (*game)->move_type);
    if (!event) return untrue_at(expected, event.error().message);
    records.push_back({.at_ms = move.at_ms(), .event = std::move(*event), .digest = move.digest()});
  }
  return records;
}

/// The standings at the end; empty if the game is not over.
std::optional<std::string> result_of(const Execution& execution) {
  auto outcome = execution.match().final_result();
  return outcome ? std::optional{std::move(outcome->result)} : std::nullopt;
}

/// Whether the move is recorded in its canonical encoding.
bool same_move(const codec::Record& record, const games::Played& played) {
  const auto* moved = std::get_if<codec::Moved>(&record.event);
  return moved == nullptr || moved->move == played.move;
}

/// Executes all records. Returns the result if the last one ends the game.
Expected<std::optional<std::string>> played(const std::vector<codec::Record>& records) {
  UndoHistory history;
  for (std::uint64_t at = 0; at < records.size(); ++at) {
    const auto added = history.add(Version{at + 1}, records[at]);
    if (!added) return untrue_at(at + 1, added.error().message);
  }
  // Of a record without one an execution takes any position.
  const auto bare = std::ranges::find(records, 0, &codec::Record::digest);
  if (bare != records.end()) {
    return untrue_at(static_cast<std::uint64_t>(bare - records.begin()) + 1, "it has no digest.");
  }
  Execution execution({}, history.returns());
  if (auto begun = execution.begin(records.front()); !begun) {
    return untrue_at(1, begun.error().message);
  }
  const std::uint8_t seats = execution.match().seats();
  if (std::get<codec::Created>(records.front().event).seats != seats) {
    return untrue("The game has " + std::to_string(seats) +
                  " seats, and the table says that it has another number.");
  }
  for (std::uint64_t at = 1; at < records.size(); ++at) {
    const auto move = execution.play(records[at], games::Want::kPosition);
    if (!move) return untrue_at(at + 1, move.error().message);
    if (!same_move(records[at], *move)) {
      return untrue_at(at + 1, "the move is not written as the rules write it.");
    }
  }
  return result_of(execution);
}

/// Whether the recorded result is that of the execution.
Expected<void> check_end(const lobby::v1::Table& table, const std::optional<std::string>& result) {
  if (!result) {
    if (table.state() == lobby::v1::TABLE_STATE_OVER) {
      return untrue("The game is not over after its last move.");
    }
    if (table.state() == lobby::v1::TABLE_STATE_CLOSED && !table.has_result()) return {};
    return untrue("A game that is not over was closed, and has no result.");
  }
  if (table.state() != lobby::v1::TABLE_STATE_OVER) return untrue("The game is over.");
  if (table.result().SerializeAsString() == *result) return {};
  return untrue("The result is not the one that the moves lead to.");
}

Expected<void> execute(const lobby::v1::GameRecord& record) {
  const auto records = records_of(record);
  if (!records) return std::unexpected(records.error());
  const auto result = played(*records);
  if (!result) return std::unexpected(result.error());
  return check_end(record.table(), *result);
}

Expected<void> by_other_rules() {
  return untrue(
      "The server's seed is the one that it had committed itself to, and the key of the dice "
      "follows from it and from what the players added. The moves and the result cannot be "
      "checked: by the record, the rules of the game have changed since it was played.");
}

/// "Seat 0", "seats 0 and 2" of those in a state; empty when there are none.
std::string seats_in(const lobby::v1::Table& table, play::v1::ContributionState state) {
  std::vector<std::string> numbers;
  for (const auto& seat : table.seats()) {
    if (seat.contribution() == state) numbers.push_back(std::to_string(seat.seat()));
  }
  if (numbers.empty()) return {};
  std::string text = numbers.size() == 1 ? "seat " : "seats ";
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    if (at > 0) text += at + 1 == numbers.size() ? " and " : ", ";
    text += numbers[at];
  }
  return text;
}

/// What the record proves about the order of commitment and contributions.
std::string how_added(const lobby::v1::GameRecord& record) {
  const auto& table = record.table();
  std::string text;
  const auto add = [&](play::v1::ContributionState state, std::string_view how) {
    if (const auto seats = seats_in(table, state); !seats.empty()) {
      text += " By the server's word " + seats + std::string(how);
    }
  };
  add(play::v1::CONTRIBUTION_STATE_AFTER_COMMITMENT,
      " added to the dice after the commitment was shown.");
  add(play::v1::CONTRIBUTION_STATE_WITH_SEAT,
      " added to the dice in the call that took the seat: who had not seen the commitment before "
      "has no proof that it was there.");
  add(play::v1::CONTRIBUTION_STATE_WITHHELD, " added nothing in time.");
  if (text.empty()) {
    text = record.contributions().empty()
               ? " No player added to the dice: the server chose them alone."
               : " The record says of no seat that it added to the dice: whether the contributions "
                 "are the players' is not known.";
  }
  return text;
}

}  // namespace

lobby::v1::VerifyResponse verify(const lobby::v1::GameRecord& record) {
  lobby::v1::VerifyResponse verdict;
  verdict.set_commitment(commitment_of(record));
  verdict.set_server_seed(record.server_seed());
  verdict.set_versions(1 + static_cast<std::uint64_t>(record.moves_size()));
  auto truth = check_promise(record);
  if (truth) truth = check_fields(record);
  if (truth && record.rules_changed()) truth = by_other_rules();
  if (truth) truth = execute(record);
  verdict.set_ok(truth.has_value());
  for (std::string& field : not_covered(record)) verdict.add_not_covered(std::move(field));
  const bool closed = record.table().state() == lobby::v1::TABLE_STATE_CLOSED;
  const std::string played = closed ? "every move is true; the game was closed without a result."
                                    : "every move and the result are true.";
  if (!truth) {
    verdict.set_message(truth.error().message);
  } else {
    verdict.set_message(
        "The server's seed is the one that it had committed itself to, the dice follow from it and "
        "from what the players added, and " +
        played + how_added(record));
  }
  return verdict;
}

bool lacks_digests(const lobby::v1::GameRecord& record) {
  return record.first_digest() == 0 ||
         std::ranges::any_of(record.moves(), [](const auto& move) { return move.digest() == 0; });
}

void add_digests(lobby::v1::GameRecord& record) {
  const auto records = records_of(record);
  if (!records) return record.set_rules_changed(true);
  const auto digests = digests_of(*records);
  if (!digests) return record.set_rules_changed(true);
  record.set_first_digest(digests->front());
  for (int at = 0; at < record.moves_size(); ++at) {
    record.mutable_moves(at)->set_digest((*digests)[static_cast<std::size_t>(at) + 1]);
  }
}

}  // namespace tesela::execution
