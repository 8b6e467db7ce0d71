#include "server/store/sql/boards.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

constexpr Text kRating{
    "SELECT mu, sigma, games, opponents FROM ratings WHERE game = $1 AND player_id = $2"};
// A key of PostgreSQL's indexes is at most a third of a page.
constexpr Text kBoard{
    "SELECT id FROM boards WHERE kind = $1 AND game = $2 AND config_hash = sha256($3)"
    " AND day = $4",
    "SELECT id FROM boards WHERE kind = $1 AND game = $2 AND config = $3 AND day = $4"};

/// The statements that read a board. Boards are ordered by points descending and by the other
/// columns ascending, which a row comparison cannot express: a page is read as the lines tied with
/// its start, and then the others. $1 is the board.
struct Reading {
  std::string line;   // of the player $2
  std::string block;  // its points, time and player, of the points $2, the time $3, the player $4
  std::string above;  // how many lines stand above the first of a block, $2 to $4
  std::string in_block;    // and how many of the block, which begins at $5 to $7, above $2 to $4
  std::string all_above;   // above $2 to $4, where the board has no blocks
  std::string tied_after;  // $2 to $4 as above, $5 lines
  std::string after;       // below the points $2, $3 lines
  std::string tied_before;
  std::string before;
};

/// `columns`: table_id, mu, sigma, games. On PostgreSQL, what has changed since the lines of blocks
/// were counted is added. The lines of the player's own block are counted as they are: those tied
/// with its first, those between, and those tied with the player's; if the first is tied with the
/// player's, they are one range.
Reading reading_of(const CountedLines& source, const std::string& columns, Dialect dialect) {
  const std::string of_board = std::string(" WHERE ") + source.board + " = $1";
  const std::string from = std::string(" FROM ") + source.lines;
  const std::string lines = "SELECT player_id, display_name, points, at_ms, " + columns + from +
                            " JOIN players ON id = player_id" + of_board;
  const std::string downwards = " ORDER BY points DESC, at_ms, player_id LIMIT ";
  const std::string upwards = " ORDER BY points, at_ms DESC, player_id DESC LIMIT ";
  const std::string tied = " AND points = $2 AND (at_ms, player_id) ";
  const std::string count = "(SELECT count(*)" + from + of_board;
  const std::string sum = "coalesce((SELECT sum(lines) FROM ";
  const std::string before_block =
      of_board + " AND (below, at_ms, player_id) < (-$2::bigint, $3::bigint, $4::bigint)), 0)";
  const std::string changed =
      dialect == Dialect::kPostgres ? " + " + sum + source.changes + before_block : std::string();
  const std::string from_first = " AND (at_ms, player_id) >= ($6, $7)";
  return {.line = lines + " AND player_id = $2",
          .block = std::string("SELECT -below, at_ms, player_id FROM ") + source.counts + of_board +
                   " AND (below, at_ms, player_id) <= (-$2::bigint, $3::bigint, $4::bigint)"
                   " ORDER BY below DESC, at_ms DESC, player_id DESC LIMIT 1",
          .above = "SELECT (" + sum + source.counts + before_block + changed + ")::bigint",
          .in_block = "SELECT CASE WHEN $2::bigint = $5::bigint THEN " + count + tied +
                      "< ($3, $4)" + from_first + ") ELSE " + count + " AND points = $5" +
                      from_first + ") + " + count + " AND points < $5 AND points > $2) + " + count +
                      tied + "< ($3, $4)) END",
          .all_above = "SELECT " + count + " AND points > $2) + " + count + tied + "< ($3, $4))",
          .tied_after = lines + tied + "> ($3, $4)" + downwards + "$5",
          .after = lines + " AND points < $2" + downwards + "$3",
          .tied_before = lines + tied + "< ($3, $4)" + upwards + "$5",
          .before = lines + " AND points > $2" + upwards + "$3"};
}

/// Made once: connections prepare statements by their addresses.
template <Dialect kDialect>
const Reading& reading_of(bool ratings) {
  static const Reading of_ratings =
      reading_of(kRatingLines, "0::bigint, mu, sigma, games", kDialect);
  static const Reading of_scores = reading_of(
      kScoreLines, "table_id, 0::double precision, 0::double precision, 0::bigint", kDialect);
  return ratings ? of_ratings : of_scores;
}

/// A board and how it is read: a game's ratings, or the scores of a row of boards.
struct Source {
  const Reading* reading{};
  std::string game;   // of ratings
  std::int64_t id{};  // of scores
  bool ratings{};

  Query& bind(Query& query) const { return ratings ? query.text(game) : query.number(id); }
};

BoardEntry entry_of(Row row) {
  return {.player = row.id<PlayerId>(0),
          .display_name = row.text(1),
          .points = row.number(2),
          .at_ms = row.number(3),
          .table = row.id<TableId>(4),
          .rating = {.mu = row.real(5), .sigma = row.real(6)},
          .games = row.small<std::uint32_t>(7)};
}

/// No value: nobody has a score there.
awaitable<std::optional<Source>> source_of(Session& session, const BoardKey& key) {
  const bool ratings = key.kind == BoardKind::kRatings;
  const bool postgres = session.dialect() == Dialect::kPostgres;
  Source source{.reading = postgres ? &reading_of<Dialect::kPostgres>(ratings)
                                    : &reading_of<Dialect::kSqlite>(ratings),
                .game = key.game,
                .ratings = ratings};
  if (ratings) co_return source;
  Batch batch;
  bind_board(batch.add(kBoard), key);
  const auto answers = co_await session.run(std::move(batch));
  if (answers[0].empty()) co_return std::nullopt;
  source.id = answers[0][0].number(0);
  co_return source;
}

/// At most `max` lines: those tied with `from`, then the others.
awaitable<std::vector<BoardEntry>> lines(Session& session, const Source& source,
                                         const std::string& tied, const std::string& rest,
                                         const BoardCursor& from, std::size_t max) {
  Batch batch;
  source.bind(batch.add(tied.c_str()))
      .number(from.points)
      .number(from.at_ms)
      .id(from.player)
      .count(max);
  source.bind(batch.add(rest.c_str())).number(from.points).count(max);
  const auto answers = co_await session.run(std::move(batch));
  std::vector<BoardEntry> entries;
  for (const Rows& rows : answers) {
    for (const Row row : rows) {
      if (entries.size() < max) entries.push_back(entry_of(row));
    }
  }
  co_return entries;
}

/// Where a line stands.
struct Place {
  std::int64_t points{};
  std::int64_t at_ms{};
  PlayerId player;

  Query& bind(Query& query) const { return query.number(points).number(at_ms).id(player); }
};

/// The lines above a line that is on the board: those of the blocks before, and those of its own.
awaitable<std::uint64_t> lines_above(Session& session, const Source& source, Place line) {
  const Reading& reading = *source.reading;
  Batch look;
  line.bind(source.bind(look.add(reading.block.c_str())));
  const auto found = co_await session.run(std::move(look));
  Batch count;
  if (found[0].empty()) {
    line.bind(source.bind(count.add(reading.all_above.c_str())));
  } else {
    const Row block = found[0][0];
    const Place first{
        .points = block.number(0), .at_ms = block.number(1), .player = block.id<PlayerId>(2)};
    first.bind(source.bind(count.add(reading.above.c_str())));
    first.bind(line.bind(source.bind(count.add(reading.in_block.c_str()))));
  }
  const auto counted = co_await session.run(std::move(count));
  std::int64_t lines = 0;
  for (const Rows& counts : counted) lines += counts[0].number(0);
  co_return static_cast<std::uint64_t>(lines);
}

/// A player's line with its place.
awaitable<std::optional<BoardEntry>> line_of(Session& session, const Source& source,
                                             PlayerId player) {
  Batch line;
  source.bind(line.add(source.reading->line.c_str())).id(player);
  const auto found = co_await session.run(std::move(line));
  if (found[0].empty()) co_return std::nullopt;
  BoardEntry entry = entry_of(found[0][0]);
  const Place place{.points = entry.points, .at_ms = entry.at_ms, .player = player};
  entry.place = co_await lines_above(session, source, place) + 1;
  co_return entry;
}

awaitable<std::vector<BoardEntry>> around(Session& session, const Source& source, PlayerId player,
                                          std::size_t max) {
  const auto mine = co_await line_of(session, source, player);
  if (!mine || max == 0 || mine->points == kUnlistedPoints) co_return std::vector<BoardEntry>{};
  const BoardCursor here{
      .place = mine->place, .points = mine->points, .at_ms = mine->at_ms, .player = player};
  const std::size_t above = std::min<std::uint64_t>(max / 2, mine->place - 1);
  const Reading& reading = *source.reading;
  auto entries = co_await lines(session, source, reading.tied_before, reading.before, here, above);
  std::ranges::reverse(entries);
  std::uint64_t place = mine->place - entries.size();
  entries.push_back(*mine);
  const auto below = co_await lines(session, source, reading.tied_after, reading.after, here,
                                    max - entries.size());
  entries.insert(entries.end(), below.begin(), below.end());
  for (BoardEntry& entry : entries) entry.place = place++;
  co_return entries;
}

awaitable<std::vector<BoardEntry>> page(Session& session, const Source& source,
                                        const BoardRange& range) {
  const BoardCursor top{
      .points = std::numeric_limits<std::int64_t>::max(), .at_ms = {}, .player = {}};
  const BoardCursor start = range.after.value_or(top);
  auto entries = co_await lines(session, source, source.reading->tied_after, source.reading->after,
                                start, range.max);
  std::uint64_t place = start.place;
  for (BoardEntry& entry : entries) entry.place = ++place;
  co_return entries;
}

}  // namespace

std::string of_kind(const CountedLines& source, std::string sql) {
  const std::array<std::pair<std::string_view, const char*>, 4> names{{{"LINES", source.lines},
                                                                       {"COUNTS", source.counts},
                                                                       {"CHANGES", source.changes},
                                                                       {"BOARD", source.board}}};
  for (const auto& [word, name] : names) {
    for (std::size_t at = sql.find(word); at != std::string::npos; at = sql.find(word, at)) {
      sql.replace(at, word.size(), name);
    }
  }
  return sql;
}

Query& bind_board(Query& query, const BoardKey& board) {
  return query.one_of(board.kind)
      .text(board.game)
      .bytes(board.config)
      .number(day_number(board.day));
}

awaitable<Expected<RatingRow>> rating(Session& session, const std::string& game, PlayerId player) {
  const auto rows = co_await session.finish(Query(kRating).text(game).id(player));
  RatingRow found{.player = player};
  for (const Row row : rows) {
    found.rating = {.mu = row.real(0), .sigma = row.real(1)};
    found.games = row.small<std::uint32_t>(2);
    found.opponents = row.small<std::uint32_t>(3);
  }
  co_return found;
}

awaitable<Expected<std::vector<BoardEntry>>> board(Session& session, const BoardKey& key,
                                                   const BoardRange& range) {
  const auto source = co_await source_of(session, key);
  std::vector<BoardEntry> entries;
  if (source && range.around) {
    entries = co_await around(session, *source, *range.around, range.max);
  } else if (source) {
    entries = co_await page(session, *source, range);
  }
  cut_unlisted(entries);
  co_return entries;
}

}  // namespace tesela::store::sql
