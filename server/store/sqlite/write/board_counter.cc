#include "server/store/sqlite/write/board_counter.h"

#include <optional>
#include <string>

#include "server/base/scale_limits.h"
#include "server/store/sqlite/database/board_sql.h"

namespace tesela::store {
namespace {

constexpr auto kLines = static_cast<std::int64_t>(limits::kBoardBlockLines);
/// Below it a block joins the one before it.
constexpr std::int64_t kFewLines = kLines / 8;

LinePlace place_of(const Statement& row) {
  return {.points = row.number(0), .at_ms = row.number(1), .player = row.id<PlayerId>(2)};
}

}  // namespace

BoardCounter::BoardCounter(Connection& connection, const CountedLines& source)
    : blocks_(connection, source),
      begin_(connection, std::string("INSERT INTO ") + source.counts + " SELECT " + source.board +
                             ", -?5, ?6, ?7, (SELECT count(*) FROM " + source.lines + " WHERE " +
                             source.is_of_board + ")"),
      set_lines_(connection, std::string("UPDATE ") + source.counts + " SET lines = ?8 WHERE " +
                                 source.is_of_board +
                                 " AND (below, at_ms, player_id) = (-?5, ?6, ?7)"),
      insert_(connection, std::string("INSERT INTO ") + source.counts + " SELECT " + source.board +
                              ", -?5, ?6, ?7, ?8"),
      drop_(connection, std::string("DELETE FROM ") + source.counts + " WHERE " +
                            source.is_of_board + " AND (below, at_ms, player_id) = (-?5, ?6, ?7)"),
      tied_(connection, std::string("SELECT points, at_ms, player_id FROM ") + source.lines +
                            " WHERE " + source.is_of_board +
                            " AND points = ?5 AND (at_ms, player_id) >= (?6, ?7)"
                            " ORDER BY points DESC, at_ms, player_id LIMIT 1 OFFSET ?8"),
      count_tied_(connection, std::string("SELECT count(*) FROM ") + source.lines + " WHERE " +
                                  source.is_of_board +
                                  " AND points = ?5 AND (at_ms, player_id) >= (?6, ?7)"),
      rest_(connection, std::string("SELECT points, at_ms, player_id FROM ") + source.lines +
                            " WHERE " + source.is_of_board +
                            " AND points < ?5"
                            " ORDER BY points DESC, at_ms, player_id LIMIT 1 OFFSET ?8") {}

void BoardCounter::added(const BoardKey& board, const LinePlace& line) {
  const auto block = blocks_.find(board, line);
  if (!block) {
    bind_place(bind_board(begin_, board), 5, kTopOfBoard).run();
    return;
  }
  const std::int64_t lines = block->lines + 1;
  if (lines <= 2 * kLines) {
    set_lines(board, block->first, lines);
  } else {
    split(board, {.first = block->first, .lines = lines});
  }
}

void BoardCounter::removed(const BoardKey& board, const LinePlace& line) {
  const auto block = blocks_.find(board, line);
  // A board without counts gets them with its next line.
  if (!block || block->lines == 0) return;
  const std::int64_t lines = block->lines - 1;
  if (lines < kFewLines) {
    const auto before = blocks_.before(board, block->first);
    if (before && before->lines + lines <= kLines) {
      drop(board, block->first);
      set_lines(board, before->first, before->lines + lines);
      return;
    }
  }
  set_lines(board, block->first, lines);
}

void BoardCounter::set_lines(const BoardKey& board, const LinePlace& first, std::int64_t lines) {
  bind_place(bind_board(set_lines_, board), 5, first).bind(8, lines).run();
}

void BoardCounter::drop(const BoardKey& board, const LinePlace& first) {
  bind_place(bind_board(drop_, board), 5, first).run();
}

void BoardCounter::split(const BoardKey& board, const BoardBlock& block) {
  const std::int64_t half = block.lines / 2;
  std::optional<LinePlace> middle;
  const auto read = [&](const Statement& row) { middle = place_of(row); };
  bind_place(bind_board(tied_, board), 5, block.first).bind(8, half).first_row(read);
  if (!middle) {
    std::int64_t tied = 0;
    bind_place(bind_board(count_tied_, board), 5, block.first).first_row([&](const Statement& row) {
      tied = row.number(0);
    });
    bind_place(bind_board(rest_, board), 5, block.first).bind(8, half - tied).first_row(read);
  }
  if (!middle) return;
  set_lines(board, block.first, half);
  bind_place(bind_board(insert_, board), 5, *middle).bind(8, block.lines - half).run();
}

}  // namespace tesela::store
