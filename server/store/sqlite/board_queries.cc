#include "server/store/sqlite/board_queries.h"

#include <cstdint>
#include <string>

#include "server/store/sqlite/board_sql.h"

namespace tesela::store {
namespace {

struct Source {
  const char* columns;  // table_id, mu, sigma, games
  const char* table;
  const char* is_of_board;
};

// The game says all about a board of ratings; its other parameters are bound and not looked at.
constexpr Source kRatings{
    .columns = "0, mu, sigma, games",
    .table = "ratings",
    .is_of_board = "game = ?2",
};
constexpr Source kScores{
    .columns = "table_id, 0.0, 0.0, 0",
    .table = "scores",
    .is_of_board =
        "board_id = (SELECT id FROM boards"
        " WHERE kind = ?1 AND game = ?2 AND config = ?3 AND day = ?4)",
};

std::string page_of(const Source& source) {
  return std::string("SELECT player_id, display_name, points, at_ms, ") + source.columns +
         " FROM " + source.table + " JOIN players ON id = player_id WHERE " + source.is_of_board +
         " ORDER BY points DESC, at_ms, player_id LIMIT ?6 OFFSET ?5";
}

/// How many stand before a player; no row for who is not on the board.
std::string place_of(const Source& source) {
  const std::string from = std::string(" FROM ") + source.table;
  const std::string of_board = std::string(" WHERE ") + source.is_of_board;
  return "SELECT (SELECT count(*)" + from + of_board +
         " AND (points > mine.points OR (points = mine.points"
         " AND (at_ms, player_id) < (mine.at_ms, mine.player_id))))" +
         from + " AS mine" + of_board + " AND player_id = ?5";
}

}  // namespace

BoardQueries::BoardQueries(Connection& connection)
    : rating_(connection, kRatingOf),
      ratings_{.page = Statement(connection, page_of(kRatings)),
               .place = Statement(connection, place_of(kRatings))},
      scores_{.page = Statement(connection, page_of(kScores)),
              .place = Statement(connection, place_of(kScores))} {}

RatingRow BoardQueries::rating(const std::string& game, PlayerId player) {
  return read_rating(rating_.bind_text(1, game).bind(2, player), player);
}

std::vector<BoardEntry> BoardQueries::board(const BoardKey& key, const BoardRange& range) {
  auto& [page, place] = key.kind == BoardKind::kRatings ? ratings_ : scores_;
  std::uint64_t first = range.first;
  if (range.around) {
    const bool found =
        bind_board(place, key).bind(5, *range.around).first_row([&](const auto& row) {
          first = first_around(static_cast<std::uint64_t>(row.number(0)) + 1, range.max);
        });
    if (!found) return {};
  }
  bind_board(page, key)
      .bind(5, static_cast<std::int64_t>(first - 1))
      .bind(6, static_cast<std::int64_t>(range.max));
  std::vector<BoardEntry> entries;
  page.each_row([&](const Statement& row) {
    entries.push_back({.place = first + entries.size(),
                       .player = row.id<PlayerId>(0),
                       .display_name = row.text(1),
                       .points = row.number(2),
                       .at_ms = row.number(3),
                       .table = row.id<TableId>(4),
                       .rating = {.mu = row.real(5), .sigma = row.real(6)},
                       .games = static_cast<std::uint32_t>(row.number(7))});
  });
  return entries;
}

}  // namespace tesela::store
