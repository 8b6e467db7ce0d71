#include "server/store/postgres/read/player_data_queries.h"

#include <utility>

#include "server/store/postgres/read/board_queries.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr const char* kErased =
    "SELECT id FROM players WHERE erased_ms IS NOT NULL ORDER BY erased_ms DESC, id DESC LIMIT $1";
constexpr const char* kScores =
    "SELECT board_id, kind, game, config, day, points, at_ms, table_id"
    " FROM scores JOIN boards ON boards.id = board_id"
    " WHERE player_id = $1 AND board_id > $2 ORDER BY board_id LIMIT $3";

}  // namespace

awaitable<Expected<std::vector<PlayerId>>> erased(Attempt& attempt, std::size_t max) {
  Pipeline pipeline;
  pipeline.add(kErased).number(static_cast<std::int64_t>(max));
  const auto results = co_await attempt.run(std::move(pipeline));
  co_return results.front().column<PlayerId>();
}

awaitable<Expected<std::vector<ScoreLine>>> scores(Attempt& attempt, PlayerId player,
                                                   std::uint64_t after, std::size_t max) {
  Pipeline pipeline;
  pipeline.add(kScores)
      .id(player)
      .number(static_cast<std::int64_t>(after))
      .number(static_cast<std::int64_t>(max));
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& rows = results.front();
  std::vector<ScoreLine> lines;
  lines.reserve(static_cast<std::size_t>(rows.rows()));
  for (int row = 0; row < rows.rows(); ++row) {
    lines.push_back({.id = static_cast<std::uint64_t>(rows.number(row, 0)),
                     .board = {.kind = static_cast<BoardKind>(rows.number(row, 1)),
                               .game = rows.text(row, 2),
                               .config = rows.text(row, 3),
                               .day = day_of_number(rows.number(row, 4))},
                     .points = rows.number(row, 5),
                     .at_ms = rows.number(row, 6),
                     .table = rows.id<TableId>(row, 7)});
  }
  co_return lines;
}

}  // namespace tesela::store::postgres
