#include "server/store/postgres/read/board_queries.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "server/store/postgres/read/queries.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr const char* kRating =
    "SELECT mu, sigma, games, opponents FROM ratings WHERE game = $1 AND player_id = $2";
constexpr const char* kBoard =
    "SELECT id FROM boards WHERE kind = $1 AND game = $2 AND config_hash = sha256($3)"
    " AND day = $4";

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

/// `columns`: table_id, mu, sigma, games. What has changed since the lines of blocks were counted
/// is added; the lines of the player's own block are counted as they are.
Reading reading_of(const CountedLines& source, const std::string& columns) {
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
  const std::string from_first = " AND (at_ms, player_id) >= ($6, $7)";
  return {.line = lines + " AND player_id = $2",
          .block = std::string("SELECT -below, at_ms, player_id FROM ") + source.counts + of_board +
                   " AND (below, at_ms, player_id) <= (-$2::bigint, $3::bigint, $4::bigint)"
                   " ORDER BY below DESC, at_ms DESC, player_id DESC LIMIT 1",
          .above = "SELECT (" + sum + source.counts + before_block + " + " + sum + source.changes +
                   before_block + ")::bigint",
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

// Made once: connections prepare statements by their addresses.
const Reading& reading_of_ratings() {
  static const Reading reading = reading_of(kRatingLines, "0::bigint, mu, sigma, games");
  return reading;
}

const Reading& reading_of_scores() {
  static const Reading reading =
      reading_of(kScoreLines, "table_id, 0::double precision, 0::double precision, 0::bigint");
  return reading;
}

/// A board and how it is read: a game's ratings, or the scores of a row of boards.
struct Source {
  const Reading* reading{};
  std::string game;   // of ratings
  std::int64_t id{};  // of scores
  bool ratings{};

  Query& bind(Query& query) const { return ratings ? query.bytes(game) : query.number(id); }
};

BoardEntry entry_of(const Result& result, int row) {
  return {.player = result.id<PlayerId>(row, 0),
          .display_name = result.text(row, 1),
          .points = result.number(row, 2),
          .at_ms = result.number(row, 3),
          .table = result.id<TableId>(row, 4),
          .rating = {.mu = result.real(row, 5), .sigma = result.real(row, 6)},
          .games = result.small<std::uint32_t>(row, 7)};
}

/// No value: nobody has a score there.
awaitable<std::optional<Source>> source_of(Attempt& attempt, const BoardKey& key) {
  const bool ratings = key.kind == BoardKind::kRatings;
  Pipeline pipeline;
  pipeline.add(kBeginReading);
  pipeline.add(kBoard)
      .number(static_cast<std::int64_t>(key.kind))
      .bytes(key.game)
      .bytes(key.config)
      .number(day_number(key.day));
  const auto results = co_await attempt.run(std::move(pipeline));
  if (!ratings && results[1].rows() == 0) co_return std::nullopt;
  Source source{.reading = ratings ? &reading_of_ratings() : &reading_of_scores(),
                .game = key.game,
                .id = ratings ? 0 : results[1].number(0, 0),
                .ratings = ratings};
  co_return source;
}

/// At most `max` lines: those tied with `from`, then the others.
awaitable<std::vector<BoardEntry>> lines(Attempt& attempt, const Source& source,
                                         const std::string& tied, const std::string& rest,
                                         const BoardCursor& from, std::size_t max) {
  Pipeline pipeline;
  source.bind(pipeline.add(tied.c_str()))
      .number(from.points)
      .number(from.at_ms)
      .id(from.player)
      .number(static_cast<std::int64_t>(max));
  source.bind(pipeline.add(rest.c_str()))
      .number(from.points)
      .number(static_cast<std::int64_t>(max));
  const auto results = co_await attempt.run(std::move(pipeline));
  std::vector<BoardEntry> entries;
  for (const Result& result : results) {
    for (int row = 0; row < result.rows() && entries.size() < max; ++row) {
      entries.push_back(entry_of(result, row));
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
awaitable<std::uint64_t> lines_above(Attempt& attempt, const Source& source, Place line) {
  const Reading& reading = *source.reading;
  Pipeline look;
  line.bind(source.bind(look.add(reading.block.c_str())));
  const auto found = co_await attempt.run(std::move(look));
  Pipeline count;
  if (found.front().rows() == 0) {
    line.bind(source.bind(count.add(reading.all_above.c_str())));
  } else {
    const Place first{.points = found.front().number(0, 0),
                      .at_ms = found.front().number(0, 1),
                      .player = found.front().id<PlayerId>(0, 2)};
    first.bind(source.bind(count.add(reading.above.c_str())));
    first.bind(line.bind(source.bind(count.add(reading.in_block.c_str()))));
  }
  const auto counted = co_await attempt.run(std::move(count));
  std::int64_t lines = 0;
  for (const Result& result : counted) lines += result.number(0, 0);
  co_return static_cast<std::uint64_t>(lines);
}

/// A player's line with its place.
awaitable<std::optional<BoardEntry>> line_of(Attempt& attempt, const Source& source,
                                             PlayerId player) {
  Pipeline line;
  source.bind(line.add(source.reading->line.c_str())).id(player);
  const auto found = co_await attempt.run(std::move(line));
  if (found.front().rows() == 0) co_return std::nullopt;
  BoardEntry entry = entry_of(found.front(), 0);
  const Place place{.points = entry.points, .at_ms = entry.at_ms, .player = player};
  entry.place = co_await lines_above(attempt, source, place) + 1;
  co_return entry;
}

awaitable<std::vector<BoardEntry>> around(Attempt& attempt, const Source& source, PlayerId player,
                                          std::size_t max) {
  const auto mine = co_await line_of(attempt, source, player);
  if (!mine || max == 0 || mine->points == kUnlistedPoints) co_return std::vector<BoardEntry>{};
  const BoardCursor here{
      .place = mine->place, .points = mine->points, .at_ms = mine->at_ms, .player = player};
  const std::size_t above = std::min<std::uint64_t>(max / 2, mine->place - 1);
  const Reading& reading = *source.reading;
  auto entries = co_await lines(attempt, source, reading.tied_before, reading.before, here, above);
  std::ranges::reverse(entries);
  std::uint64_t place = mine->place - entries.size();
  entries.push_back(*mine);
  const auto below = co_await lines(attempt, source, reading.tied_after, reading.after, here,
                                    max - entries.size());
  entries.insert(entries.end(), below.begin(), below.end());
  for (BoardEntry& entry : entries) entry.place = place++;
  co_return entries;
}

awaitable<std::vector<BoardEntry>> page(Attempt& attempt, const Source& source,
                                        const BoardRange& range) {
  const BoardCursor top{
      .points = std::numeric_limits<std::int64_t>::max(), .at_ms = {}, .player = {}};
  const BoardCursor start = range.after.value_or(top);
  auto entries = co_await lines(attempt, source, source.reading->tied_after, source.reading->after,
                                start, range.max);
  std::uint64_t place = start.place;
  for (BoardEntry& entry : entries) entry.place = ++place;
  co_return entries;
}

}  // namespace

awaitable<Expected<RatingRow>> rating(Attempt& attempt, const std::string& game, PlayerId player) {
  Pipeline pipeline;
  pipeline.add(kRating).bytes(game).id(player);
  const auto results = co_await attempt.run(std::move(pipeline));
  RatingRow found{.player = player};
  if (results.front().rows() == 1) {
    found.rating = {.mu = results.front().real(0, 0), .sigma = results.front().real(0, 1)};
    found.games = results.front().small<std::uint32_t>(0, 2);
    found.opponents = results.front().small<std::uint32_t>(0, 3);
  }
  co_return found;
}

awaitable<Expected<std::vector<BoardEntry>>> board(Attempt& attempt, const BoardKey& key,
                                                   const BoardRange& range) {
  const auto source = co_await source_of(attempt, key);
  std::vector<BoardEntry> entries;
  if (source && range.around) {
    entries = co_await around(attempt, *source, *range.around, range.max);
  } else if (source) {
    entries = co_await page(attempt, *source, range);
  }
  co_await attempt.commit();
  cut_unlisted(entries);
  co_return entries;
}

}  // namespace tesela::store::postgres
