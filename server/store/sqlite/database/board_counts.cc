#include "server/store/sqlite/database/board_counts.h"

#include <string>

#include "server/base/scale_limits.h"
#include "server/store/sqlite/database/board_sql.h"

namespace tesela::store {
namespace {

// `below` is the negative of the points: in the order of a board all columns then ascend, which a
// comparison of rows can express.
constexpr const char* kCounts = R"sql(
CREATE TABLE rating_counts (
  game TEXT NOT NULL,
  below INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  lines INTEGER NOT NULL CHECK (lines >= 0),
  PRIMARY KEY (game, below, at_ms, player_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE score_counts (
  board_id INTEGER NOT NULL REFERENCES boards (id),
  below INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  player_id INTEGER NOT NULL,
  lines INTEGER NOT NULL CHECK (lines >= 0),
  PRIMARY KEY (board_id, below, at_ms, player_id)
) STRICT, WITHOUT ROWID;
)sql";

/// Counts all lines of all boards of a kind.
std::string count_all(const CountedLines& source, const std::string& board) {
  const std::string size = std::to_string(limits::kBoardBlockLines);
  const std::string top = std::to_string(-kTopOfBoard.points);
  return std::string("INSERT INTO ") + source.counts + " SELECT " + board + ", iif(nth = 1, " +
         top + ", -points), iif(nth = 1, 0, at_ms), iif(nth = 1, 0, player_id), min(" + size +
         ", total - nth + 1) FROM (SELECT " + board +
         ", points, at_ms, player_id, row_number() OVER (PARTITION BY " + board +
         " ORDER BY points DESC, at_ms, player_id) AS nth, count(*) OVER (PARTITION BY " + board +
         ") AS total FROM " + source.lines + ") WHERE nth % " + size + " = 1";
}

std::string block_where(const CountedLines& source, const char* comparison) {
  return std::string("SELECT -below, at_ms, player_id, lines FROM ") + source.counts + " WHERE " +
         source.is_of_board + " AND (below, at_ms, player_id) " + comparison +
         " (-?5, ?6, ?7) ORDER BY below DESC, at_ms DESC, player_id DESC LIMIT 1";
}

}  // namespace

Statement& bind_place(Statement& statement, int at, const LinePlace& place) {
  return statement.bind(at, place.points).bind(at + 1, place.at_ms).bind(at + 2, place.player);
}

BoardBlocks::BoardBlocks(Connection& connection, const CountedLines& source)
    : find_(connection, block_where(source, "<=")), before_(connection, block_where(source, "<")) {}

std::optional<BoardBlock> BoardBlocks::block_of(Statement& statement) {
  std::optional<BoardBlock> block;
  statement.first_row([&](const Statement& row) {
    block = BoardBlock{
        .first = {.points = row.number(0), .at_ms = row.number(1), .player = row.id<PlayerId>(2)},
        .lines = row.number(3)};
  });
  return block;
}

std::optional<BoardBlock> BoardBlocks::find(const BoardKey& board, const LinePlace& line) {
  return block_of(bind_place(bind_board(find_, board), 5, line));
}

std::optional<BoardBlock> BoardBlocks::before(const BoardKey& board, const LinePlace& first) {
  return block_of(bind_place(bind_board(before_, board), 5, first));
}

void create_board_counts(Connection& connection) {
  connection.run(kCounts);
  connection.run(count_all(kRatingLines, "game"));
  connection.run(count_all(kScoreLines, "board_id"));
}

}  // namespace tesela::store
