#include "server/store/sqlite/write/board_counter.h"

#include <limits>

#include "server/base/scale_limits.h"

namespace tesela::store {
namespace {

constexpr auto kLines = static_cast<std::int64_t>(limits::kBoardBlockLines);
/// Below it a block joins the one before it.
constexpr std::int64_t kFewLines = kLines / 8;
/// The place before all lines, where the first block of every board begins.
constexpr LinePlace kTopOfBoard{
    .points = std::numeric_limits<std::int64_t>::max(), .at_ms = 0, .player = {}};

LinePlace place_of(sql::Row row) {
  return {.points = row.number(0), .at_ms = row.number(1), .player = row.id<PlayerId>(2)};
}

using sql::of_kind;

}  // namespace

// ?1 is the board, ?2 to ?4 a place.
BoardCounter::BoardCounter(Connection& connection, const sql::CountedLines& source)
    : find_(connection,
            of_kind(source,
                    "SELECT -below, at_ms, player_id, lines FROM COUNTS WHERE BOARD = ?1"
                    " AND (below, at_ms, player_id) <= (-?2, ?3, ?4)"
                    " ORDER BY below DESC, at_ms DESC, player_id DESC LIMIT 1")),
      before_(connection,
              of_kind(source,
                      "SELECT -below, at_ms, player_id, lines FROM COUNTS WHERE BOARD = ?1"
                      " AND (below, at_ms, player_id) < (-?2, ?3, ?4)"
                      " ORDER BY below DESC, at_ms DESC, player_id DESC LIMIT 1")),
      begin_(connection, of_kind(source,
                                 "INSERT INTO COUNTS SELECT ?1, -?2, ?3, ?4,"
                                 " (SELECT count(*) FROM LINES WHERE BOARD = ?1)")),
      set_lines_(connection, of_kind(source,
                                     "UPDATE COUNTS SET lines = ?5 WHERE BOARD = ?1"
                                     " AND (below, at_ms, player_id) = (-?2, ?3, ?4)")),
      insert_(connection, of_kind(source, "INSERT INTO COUNTS SELECT ?1, -?2, ?3, ?4, ?5")),
      drop_(
          connection,
          of_kind(
              source,
              "DELETE FROM COUNTS WHERE BOARD = ?1 AND (below, at_ms, player_id) = (-?2, ?3, ?4)")),
      tied_(connection, of_kind(source,
                                "SELECT points, at_ms, player_id FROM LINES WHERE BOARD = ?1"
                                " AND points = ?2 AND (at_ms, player_id) >= (?3, ?4)"
                                " ORDER BY points DESC, at_ms, player_id LIMIT 1 OFFSET ?5")),
      count_tied_(connection, of_kind(source,
                                      "SELECT count(*) FROM LINES WHERE BOARD = ?1"
                                      " AND points = ?2 AND (at_ms, player_id) >= (?3, ?4)")),
      rest_(connection, of_kind(source,
                                "SELECT points, at_ms, player_id FROM LINES WHERE BOARD = ?1"
                                " AND points < ?2"
                                " ORDER BY points DESC, at_ms, player_id LIMIT 1 OFFSET ?5")) {}

void BoardCounter::added(const BoardValue& board, const LinePlace& line) {
  const auto block = block_of(find_, board, line);
  if (!block) {
    bind(begin_, board, kTopOfBoard).run();
    return;
  }
  const std::int64_t lines = block->lines + 1;
  if (lines <= 2 * kLines) {
    set_lines(board, block->first, lines);
  } else {
    split(board, {.first = block->first, .lines = lines});
  }
}

void BoardCounter::removed(const BoardValue& board, const LinePlace& line) {
  const auto block = block_of(find_, board, line);
  // A board without counts gets them with its next line.
  if (!block || block->lines == 0) return;
  const std::int64_t lines = block->lines - 1;
  if (lines < kFewLines) {
    const auto before = block_of(before_, board, block->first);
    if (before && before->lines + lines <= kLines) {
      bind(drop_, board, block->first).run();
      set_lines(board, before->first, before->lines + lines);
      return;
    }
  }
  set_lines(board, block->first, lines);
}

Statement& BoardCounter::bind(Statement& statement, const BoardValue& board,
                              const LinePlace& place) {
  if (const auto* const game = std::get_if<std::string>(&board)) {
    statement.bind_text(1, *game);
  } else {
    statement.bind(1, std::get<std::int64_t>(board));
  }
  return statement.bind(2, place.points).bind(3, place.at_ms).bind(4, place.player);
}

std::optional<BoardCounter::Block> BoardCounter::block_of(Statement& statement,
                                                          const BoardValue& board,
                                                          const LinePlace& line) {
  std::optional<Block> block;
  bind(statement, board, line).first_row([&](sql::Row row) {
    block = Block{.first = place_of(row), .lines = row.number(3)};
  });
  return block;
}

void BoardCounter::set_lines(const BoardValue& board, const LinePlace& first, std::int64_t lines) {
  bind(set_lines_, board, first).bind(5, lines).run();
}

void BoardCounter::split(const BoardValue& board, const Block& block) {
  const std::int64_t half = block.lines / 2;
  std::optional<LinePlace> middle;
  const auto read = [&](sql::Row row) { middle = place_of(row); };
  bind(tied_, board, block.first).bind(5, half).first_row(read);
  if (!middle) {
    std::int64_t tied = 0;
    bind(count_tied_, board, block.first).first_row([&](sql::Row row) { tied = row.number(0); });
    bind(rest_, board, block.first).bind(5, half - tied).first_row(read);
  }
  if (!middle) return;
  set_lines(board, block.first, half);
  bind(insert_, board, *middle).bind(5, block.lines - half).run();
}

}  // namespace tesela::store
