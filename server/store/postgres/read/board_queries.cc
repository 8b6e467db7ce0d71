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
    "SELECT mu, sigma, games FROM ratings WHERE game = $1 AND player_id = $2";
constexpr const char* kBoard =
    "SELECT id FROM boards WHERE kind = $1 AND game = $2 AND config_hash = sha256($3)"
    " AND day = $4";

/// The statements that read a board. Boards are ordered by points descending and by the other
/// columns ascending, which a row comparison cannot express: a page is read as the lines tied with
/// its start, and then the others. $1 is the board.
struct Reading {
  std::string line;   // of the player $2
  std::string above;  // how many lines stand above the points $2, the time $3 and the player $4
  std::string tied_after;  // $2 to $4 as above, $5 lines
  std::string after;       // below the points $2, $3 lines
  std::string tied_before;
  std::string before;
};

/// `columns`: table_id, mu, sigma, games.
Reading reading_of(const std::string& table, const std::string& columns, const std::string& board) {
  const std::string of_board = " WHERE " + board + " = $1";
  const std::string from = " FROM " + table;
  const std::string lines = "SELECT player_id, display_name, points, at_ms, " + columns + from +
                            " JOIN players ON id = player_id" + of_board;
  const std::string downwards = " ORDER BY points DESC, at_ms, player_id LIMIT ";
  const std::string upwards = " ORDER BY points, at_ms DESC, player_id DESC LIMIT ";
  const std::string tied = " AND points = $2 AND (at_ms, player_id) ";
  return {.line = lines + " AND player_id = $2",
          .above = "SELECT (SELECT count(*)" + from + of_board +
                   " AND points > $2) + (SELECT count(*)" + from + of_board + tied + "< ($3, $4))",
          .tied_after = lines + tied + "> ($3, $4)" + downwards + "$5",
          .after = lines + " AND points < $2" + downwards + "$3",
          .tied_before = lines + tied + "< ($3, $4)" + upwards + "$5",
          .before = lines + " AND points > $2" + upwards + "$3"};
}

// Made once: connections prepare statements by their addresses.
const Reading& reading_of_ratings() {
  static const Reading reading = reading_of("ratings", "0::bigint, mu, sigma, games", "game");
  return reading;
}

const Reading& reading_of_scores() {
  static const Reading reading = reading_of(
      "scores", "table_id, 0::double precision, 0::double precision, 0::bigint", "board_id");
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
          .games = static_cast<std::uint32_t>(result.number(row, 7))};
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

/// A player's line with its place.
awaitable<std::optional<BoardEntry>> line_of(Attempt& attempt, const Source& source,
                                             PlayerId player) {
  Pipeline line;
  source.bind(line.add(source.reading->line.c_str())).id(player);
  const auto found = co_await attempt.run(std::move(line));
  if (found.front().rows() == 0) co_return std::nullopt;
  BoardEntry entry = entry_of(found.front(), 0);
  Pipeline above;
  source.bind(above.add(source.reading->above.c_str()))
      .number(entry.points)
      .number(entry.at_ms)
      .id(player);
  const auto counted = co_await attempt.run(std::move(above));
  entry.place = static_cast<std::uint64_t>(counted.front().number(0, 0)) + 1;
  co_return entry;
}

awaitable<std::vector<BoardEntry>> around(Attempt& attempt, const Source& source, PlayerId player,
                                          std::size_t max) {
  const auto mine = co_await line_of(attempt, source, player);
  if (!mine || max == 0) co_return std::vector<BoardEntry>{};
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
    found.games = static_cast<std::uint32_t>(results.front().number(0, 2));
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
  co_return entries;
}

}  // namespace tesela::store::postgres
