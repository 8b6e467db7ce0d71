#include "server/store/sqlite/database/board_counts.h"

#include <string>

#include "server/store/sqlite/database/board_sql.h"

namespace tesela::store {
namespace {

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

}  // namespace tesela::store
