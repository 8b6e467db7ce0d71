#include "server/store/sqlite/read/board_queries.h"

#include <algorithm>
#include <limits>

#include "server/store/sqlite/database/board_sql.h"

namespace tesela::store {

namespace {

BoardEntry entry_of(const Statement& row) {
  return {.player = row.id<PlayerId>(0),
          .display_name = row.text(1),
          .points = row.number(2),
          .at_ms = row.number(3),
          .table = row.id<TableId>(4),
          .rating = {.mu = row.real(5), .sigma = row.real(6)},
          .games = row.small<std::uint32_t>(7)};
}

BoardCursor cursor_at(const BoardEntry& entry) {
  return {
      .place = entry.place, .points = entry.points, .at_ms = entry.at_ms, .player = entry.player};
}

}  // namespace

// A board is ordered by points descending and by the other columns ascending, which a row
// comparison cannot express: a page is read as the lines tied with its start, and then the others.
// Of a block, the lines above a line are those tied with its first, those between, and those tied
// with the line; if the first is tied with the line, they are one range.
BoardQueries::Reading BoardQueries::reading_of(Connection& connection, const CountedLines& source,
                                               const char* columns) {
  const std::string from = std::string(" FROM ") + source.lines;
  const std::string lines = std::string("SELECT player_id, display_name, points, at_ms, ") +
                            columns + from + " JOIN players ON id = player_id";
  const std::string of_board = std::string(" WHERE ") + source.is_of_board;
  const std::string downwards = " ORDER BY points DESC, at_ms, player_id LIMIT ?8";
  const std::string upwards = " ORDER BY points, at_ms DESC, player_id DESC LIMIT ?8";
  const std::string tied = of_board + " AND points = ?5 AND (at_ms, player_id) ";
  const std::string count = "(SELECT count(*)" + from + of_board;
  const std::string tied_before_line = " AND points = ?5 AND (at_ms, player_id) < (?6, ?7)";
  const std::string from_first = " AND (at_ms, player_id) >= (?9, ?10)";
  return {
      .line = Statement(connection, lines + of_board + " AND player_id = ?7"),
      .blocks = BoardBlocks(connection, source),
      .lines_before = Statement(connection, std::string("SELECT coalesce(sum(lines), 0) FROM ") +
                                                source.counts + of_board +
                                                " AND (below, at_ms, player_id) < (-?5, ?6, ?7)"),
      .above = Statement(
          connection, "SELECT iif(?5 = ?8, " + count + tied_before_line + from_first + "), " +
                          count + " AND points = ?8" + from_first + ") + " + count +
                          " AND points < ?8 AND points > ?5) + " + count + tied_before_line + "))"),
      .all_above = Statement(
          connection, "SELECT " + count + " AND points > ?5) + " + count + tied_before_line + ")"),
      .tied_after = Statement(connection, lines + tied + "> (?6, ?7)" + downwards),
      .after = Statement(connection, lines + of_board + " AND points < ?5" + downwards),
      .tied_before = Statement(connection, lines + tied + "< (?6, ?7)" + upwards),
      .before = Statement(connection, lines + of_board + " AND points > ?5" + upwards),
  };
}

// A board of ratings is identified by its game; its other parameters are bound but not used.
BoardQueries::BoardQueries(Connection& connection)
    : rating_(connection, kRatingOf),
      ratings_(reading_of(connection, kRatingLines, "0, mu, sigma, games")),
      scores_(reading_of(connection, kScoreLines, "table_id, 0.0, 0.0, 0")) {}

RatingRow BoardQueries::rating(const std::string& game, PlayerId player) {
  return read_rating(rating_.bind_text(1, game).bind(2, player), player);
}

/// Adds at most `max` lines: those tied with `from`, then the others.
void BoardQueries::add(Statement& tied, Statement& rest, const BoardKey& key,
                       const BoardCursor& from, std::size_t max, std::vector<BoardEntry>& entries) {
  for (Statement* lines : {&tied, &rest}) {
    if (max == 0) return;
    bind_board(*lines, key)
        .bind(5, from.points)
        .bind(6, from.at_ms)
        .bind(7, from.player)
        .bind(8, static_cast<std::int64_t>(max));
    lines->each_row([&](const Statement& row) {
      entries.push_back(entry_of(row));
      --max;
    });
  }
}

/// The lines above a line that is on the board: those of the blocks before, and those of its own.
std::uint64_t BoardQueries::lines_above(Reading& from, const BoardKey& key, const LinePlace& line) {
  std::uint64_t above = 0;
  const auto add = [&](const Statement& row) {
    above += static_cast<std::uint64_t>(row.number(0));
  };
  const auto block = from.blocks.find(key, line);
  if (!block) {
    bind_place(bind_board(from.all_above, key), 5, line).first_row(add);
    return above;
  }
  bind_place(bind_board(from.lines_before, key), 5, block->first).first_row(add);
  bind_place(bind_place(bind_board(from.above, key), 5, line), 8, block->first).first_row(add);
  return above;
}

/// A player's line, from which the lines around it are read.
std::optional<BoardCursor> BoardQueries::cursor_of(Reading& from, const BoardKey& key,
                                                   PlayerId player) {
  std::optional<BoardCursor> mine;
  bind_board(from.line, key).bind(7, player).first_row([&](const Statement& row) {
    mine = cursor_at(entry_of(row));
  });
  if (!mine) return mine;
  mine->place =
      lines_above(from, key, {.points = mine->points, .at_ms = mine->at_ms, .player = player}) + 1;
  return mine;
}

std::vector<BoardEntry> BoardQueries::around(Reading& from, const BoardKey& key, PlayerId player,
                                             std::size_t max) {
  std::vector<BoardEntry> entries;
  const auto mine = cursor_of(from, key, player);
  if (!mine || max == 0 || mine->points == kUnlistedPoints) return entries;
  const std::size_t above = std::min<std::uint64_t>(max / 2, mine->place - 1);
  add(from.tied_before, from.before, key, *mine, above, entries);
  std::ranges::reverse(entries);
  std::uint64_t place = mine->place - entries.size();
  bind_board(from.line, key).bind(7, player).first_row([&](const Statement& row) {
    entries.push_back(entry_of(row));
  });
  add(from.tied_after, from.after, key, *mine, max - entries.size(), entries);
  for (BoardEntry& entry : entries) entry.place = place++;
  return entries;
}

std::vector<BoardEntry> BoardQueries::board(const BoardKey& key, const BoardRange& range) {
  Reading& from = key.kind == BoardKind::kRatings ? ratings_ : scores_;
  auto entries =
      range.around ? around(from, key, *range.around, range.max) : page(from, key, range);
  cut_unlisted(entries);
  return entries;
}

std::vector<BoardEntry> BoardQueries::page(Reading& from, const BoardKey& key,
                                           const BoardRange& range) {
  const BoardCursor top{
      .points = std::numeric_limits<std::int64_t>::max(), .at_ms = {}, .player = {}};
  const BoardCursor start = range.after.value_or(top);
  std::vector<BoardEntry> entries;
  add(from.tied_after, from.after, key, start, range.max, entries);
  std::uint64_t place = start.place;
  for (BoardEntry& entry : entries) entry.place = ++place;
  return entries;
}

}  // namespace tesela::store
