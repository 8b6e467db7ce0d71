#include "server/store/postgres/write/table_rows.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "server/store/postgres/read/board_queries.h"

namespace tesela::store::postgres {
namespace {

constexpr const char* kAddTable =
    "INSERT INTO tables (id, game, config, options, owner_id, invite, seed, state, assisted,"
    " seat_count, created_ms, daily, result, ended_ms, public)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, false, $9, $10, $11, $12, $13, $6::text = '')";
constexpr const char* kAddHead =
    "INSERT INTO heads (table_id, epoch, version, life) VALUES ($1, 1, $2, 0)";
// Inserts no row for a seat whose player contradicts it. Copies columns of the table and the
// player. Locks the player, so that the name of one who is being erased is not copied: a statement
// that has waited for the lock reads the row again.
constexpr const char* kAddSeats =
    "INSERT INTO seats (table_id, seat, player_id, display_name, bot, strategy, contribution,"
    " contribution_state, game, public, state, created_ms)"
    " SELECT t.id, s.seat, p.id, p.display_name, p.kind = 3, s.strategy, s.contribution,"
    " s.contribution_state, t.game, t.public, t.state, t.created_ms"
    " FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bytea[], $6::bigint[], $7::bigint[])"
    "  AS s(seat, player_id, strategy, contribution, contribution_state, bot)"
    " JOIN players p ON p.id = s.player_id AND (p.kind = 3) = (s.bot = 1)"
    " JOIN tables t ON t.id = $1 FOR KEY SHARE OF p";
// What is left of a deleted table of the same id: a rematch has the id that its game gives it.
constexpr const char* kMakeRoom =
    "WITH removed AS (DELETE FROM removed_tables WHERE id = $1 RETURNING id)"
    " DELETE FROM events WHERE table_id IN (SELECT id FROM removed)";

}  // namespace

void add_ending(Query& query, const TableRow& table) {
  const bool is_over = table.state == TableState::kOver;
  const bool has_ended = is_over || table.state == TableState::kClosed;
  const std::int64_t ended_ms = table.ending ? table.ending->ended_ms : 0;
  const std::string_view result = table.ending ? std::string_view{table.ending->result} : "";
  static_cast<void>(is_over ? query.bytes(result) : query.null());
  static_cast<void>(has_ended ? query.number(ended_ms) : query.null());
}

void add_seats(Pipeline& pipeline, const TableRow& table) {
  std::vector<std::int64_t> seats;
  std::vector<std::int64_t> players;
  std::vector<std::string_view> strategies;
  std::vector<std::string_view> contributions;
  std::vector<std::int64_t> states;
  std::vector<std::int64_t> bots;
  for (const SeatRow& seat : table.seats) {
    seats.push_back(static_cast<std::int64_t>(seat.seat.value));
    players.push_back(static_cast<std::int64_t>(seat.player.value));
    strategies.push_back(seat.strategy);
    contributions.push_back(seat.contribution);
    states.push_back(static_cast<std::int64_t>(seat.contribution_state));
    bots.push_back(seat.bot ? 1 : 0);
  }
  pipeline.add(kAddSeats)
      .id(table.id)
      .numbers(seats)
      .numbers(players)
      .texts(strategies)
      .bytes_array(contributions)
      .numbers(states)
      .numbers(bots);
}

void add_new_table(Pipeline& pipeline, const TableRow& table,
                   const std::optional<std::string>& first_record) {
  Query& row = pipeline.add(kAddTable)
                   .id(table.id)
                   .bytes(table.game)
                   .bytes(table.config)
                   .bytes(table.options)
                   .id(table.owner)
                   .bytes(table.invite)
                   .bytes(table.seed)
                   .number(static_cast<std::int64_t>(table.state))
                   .number(table.seat_count)
                   .number(table.created_ms);
  static_cast<void>(table.daily ? row.number(day_number(table.daily)) : row.null());
  add_ending(row, table);
  pipeline.add(kMakeRoom).id(table.id);
  pipeline.add(kAddHead).id(table.id).number(first_record ? 1 : 0);
  if (first_record) pipeline.add(kAddFirstEvent).id(table.id).number(1).bytes(*first_record);
  add_seats(pipeline, table);
}

}  // namespace tesela::store::postgres
