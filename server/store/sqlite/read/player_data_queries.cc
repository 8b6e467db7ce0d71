#include "server/store/sqlite/read/player_data_queries.h"

#include "server/store/boards.h"
#include "server/store/sqlite/database/board_sql.h"

namespace tesela::store {

PlayerDataQueries::PlayerDataQueries(Connection& connection)
    : seen_ms_(connection, "SELECT seen_ms FROM players WHERE id = ?1"),
      erased_(connection,
              "SELECT id FROM players WHERE erased_ms > 0"
              " ORDER BY erased_ms DESC, id DESC LIMIT ?1"),
      scores_(connection,
              "SELECT board_id, kind, game, config, day, points, at_ms, table_id"
              " FROM scores JOIN boards ON boards.id = board_id"
              " WHERE player_id = ?1 AND board_id > ?2 ORDER BY board_id LIMIT ?3") {}

std::optional<std::int64_t> PlayerDataQueries::seen_ms(PlayerId id) {
  std::optional<std::int64_t> seen;
  seen_ms_.bind(1, id).first_row([&](const Statement& row) { seen = row.number(0); });
  return seen;
}

std::vector<PlayerId> PlayerDataQueries::erased(std::size_t max) {
  std::vector<PlayerId> players;
  erased_.bind(1, static_cast<std::int64_t>(max)).each_row([&](const Statement& row) {
    players.push_back(row.id<PlayerId>(0));
  });
  return players;
}

std::vector<ScoreLine> PlayerDataQueries::scores(PlayerId player, std::uint64_t after,
                                                 std::size_t max) {
  std::vector<ScoreLine> lines;
  scores_.bind(1, player)
      .bind(2, static_cast<std::int64_t>(after))
      .bind(3, static_cast<std::int64_t>(max))
      .each_row([&](const Statement& row) {
        lines.push_back({.id = static_cast<std::uint64_t>(row.number(0)),
                         .board = {.kind = row.one_of(1, BoardKind::kBest, BoardKind::kDaily),
                                   .game = row.text(2),
                                   .config = row.blob(3),
                                   .day = day_of_number(row.number(4))},
                         .points = row.number(5),
                         .at_ms = row.number(6),
                         .table = row.id<TableId>(7)});
      });
  return lines;
}

}  // namespace tesela::store
