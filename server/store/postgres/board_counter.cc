#include "server/store/postgres/board_counter.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/postgres_limits.h"
#include "server/base/scale_limits.h"
#include "server/store/sql/boards.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr auto kLines = static_cast<std::int64_t>(limits::kBoardBlockLines);
constexpr auto kAtOnce = static_cast<std::int64_t>(limits::kBoardChangesAtOnce);

constexpr const char* kWaiting =
    "SELECT greatest((SELECT count(*) FROM (SELECT 1 FROM rating_changes LIMIT $1) AS ratings),"
    " (SELECT count(*) FROM (SELECT 1 FROM score_changes LIMIT $1) AS scores))";
constexpr const char* kNoSync = "SET LOCAL synchronous_commit = off";
// "TESELAB" in ASCII. Two servers that count at once would count twice.
constexpr const char* kTryLock = "SELECT pg_try_advisory_xact_lock(23720121990922562)";

/// What becomes of a block.
enum class Fate : std::int64_t { kIsNew = 0, kIsLong = 1, kIsShort = 2 };

/// The statements of a kind of board. $1 is the board, but for `take`; a place is below, at_ms and
/// player_id.
struct Counting {
  /// Takes $1 changes. A block with more than $2 lines is long, one with fewer than $3 short.
  std::string take;
  /// The place of the block after $2 to $4.
  std::string next;
  /// Deletes the block at $2 to $4.
  std::string drop;
  /// Makes blocks of about $8 lines of what is from $2 to $4 on and before $5 to $7.
  std::string divide;
  /// Makes a block without lines of it.
  std::string is_empty;
  /// Joins the block at $2 to $4 to the one before, if both together have at most $5 lines.
  std::string join;
};

// A change belongs to the block that its place is in. A board without blocks gets them whole.
constexpr const char* kTake = R"sql(
WITH taken AS (
  DELETE FROM CHANGES WHERE id = ANY (ARRAY (SELECT id FROM CHANGES ORDER BY id LIMIT $1))
  RETURNING BOARD, below, at_ms, player_id, lines),
sums AS (
  SELECT c.BOARD, c.below, c.at_ms, c.player_id, sum(t.lines)::bigint AS lines
  FROM taken AS t CROSS JOIN LATERAL (
    SELECT * FROM COUNTS AS k WHERE k.BOARD = t.BOARD
      AND (k.below, k.at_ms, k.player_id) <= (t.below, t.at_ms, t.player_id)
    ORDER BY k.below DESC, k.at_ms DESC, k.player_id DESC LIMIT 1) AS c
  GROUP BY c.BOARD, c.below, c.at_ms, c.player_id),
changed AS (
  UPDATE COUNTS AS c SET lines = c.lines + s.lines FROM sums AS s
  WHERE c.BOARD = s.BOARD AND c.below = s.below AND c.at_ms = s.at_ms
    AND c.player_id = s.player_id
  RETURNING c.BOARD, c.below, c.at_ms, c.player_id, c.lines)
SELECT BOARD, below, at_ms, player_id, CASE WHEN lines > $2 THEN 1::bigint ELSE 2::bigint END
  FROM changed WHERE lines > $2 OR (lines < $3 AND below > -9223372036854775807)
UNION ALL
SELECT DISTINCT BOARD, -9223372036854775807::bigint, 0::bigint, 0::bigint, 0::bigint
  FROM taken AS t WHERE NOT EXISTS (SELECT 1 FROM COUNTS AS c WHERE c.BOARD = t.BOARD)
)sql";
constexpr const char* kNext = R"sql(
SELECT below, at_ms, player_id FROM COUNTS
WHERE BOARD = $1 AND (below, at_ms, player_id) > ($2::bigint, $3::bigint, $4::bigint)
ORDER BY below, at_ms, player_id LIMIT 1
)sql";
constexpr const char* kDrop = R"sql(
DELETE FROM COUNTS WHERE BOARD = $1 AND below = $2 AND at_ms = $3 AND player_id = $4
)sql";
// Its lines as they are now, less the changes that are not taken yet: those are added later. The
// lines are those tied with the first, those between, and those tied with the end; if both are
// tied, they are one range.
constexpr const char* kDivide = R"sql(
INSERT INTO COUNTS (BOARD, below, at_ms, player_id, lines)
SELECT $1, b.below, b.at_ms, b.player_id, b.lines - coalesce((
    SELECT sum(p.lines) FROM CHANGES AS p WHERE p.BOARD = $1
      AND (p.below, p.at_ms, p.player_id) >= (b.below, b.at_ms, b.player_id)
      AND (p.below, p.at_ms, p.player_id) < (b.next_below, b.next_at_ms, b.next_player)), 0)::bigint
FROM (
  SELECT below, at_ms, player_id, lines, lead(below, 1, $5::bigint) OVER places AS next_below,
    lead(at_ms, 1, $6::bigint) OVER places AS next_at_ms,
    lead(player_id, 1, $7::bigint) OVER places AS next_player
  FROM (
    SELECT CASE WHEN nth = 1 THEN $2::bigint ELSE below END AS below,
      CASE WHEN nth = 1 THEN $3::bigint ELSE at_ms END AS at_ms,
      CASE WHEN nth = 1 THEN $4::bigint ELSE player_id END AS player_id,
      least(size, total - nth + 1) AS lines
    FROM (
      SELECT *, (total + parts - 1) / parts AS size FROM (
       SELECT *, (total + $8::bigint - 1) / $8::bigint AS parts FROM (
        SELECT -points AS below, at_ms, player_id, count(*) OVER () AS total,
          row_number() OVER (ORDER BY points DESC, at_ms, player_id) AS nth
        FROM (
          SELECT points, at_ms, player_id FROM LINES
            WHERE BOARD = $1 AND $2::bigint = $5::bigint AND points = -$2::bigint
            AND (at_ms, player_id) >= ($3::bigint, $4::bigint)
            AND (at_ms, player_id) < ($6::bigint, $7::bigint)
          UNION ALL SELECT points, at_ms, player_id FROM LINES
            WHERE BOARD = $1 AND $2::bigint < $5::bigint AND points = -$2::bigint
            AND (at_ms, player_id) >= ($3::bigint, $4::bigint)
          UNION ALL SELECT points, at_ms, player_id FROM LINES
            WHERE BOARD = $1 AND points < -$2::bigint AND points > -$5::bigint
          UNION ALL SELECT points, at_ms, player_id FROM LINES
            WHERE BOARD = $1 AND $2::bigint < $5::bigint AND points = -$5::bigint
            AND (at_ms, player_id) < ($6::bigint, $7::bigint)
        ) AS found) AS numbered) AS parted) AS sized
    WHERE (nth - 1) % size = 0) AS firsts
  WINDOW places AS (ORDER BY below, at_ms, player_id)) AS b
)sql";
constexpr const char* kIsEmpty = R"sql(
INSERT INTO COUNTS (BOARD, below, at_ms, player_id, lines)
SELECT $1, $2::bigint, $3::bigint, $4::bigint, -coalesce(sum(p.lines), 0)::bigint
FROM CHANGES AS p WHERE p.BOARD = $1 AND (p.below, p.at_ms, p.player_id) >= ($2, $3, $4)
  AND (p.below, p.at_ms, p.player_id) < ($5::bigint, $6::bigint, $7::bigint)
)sql";
constexpr const char* kJoin = R"sql(
WITH own AS (
  SELECT lines FROM COUNTS WHERE BOARD = $1 AND below = $2 AND at_ms = $3 AND player_id = $4),
previous AS (
  SELECT below, at_ms, player_id, lines FROM COUNTS
  WHERE BOARD = $1 AND (below, at_ms, player_id) < ($2, $3, $4)
  ORDER BY below DESC, at_ms DESC, player_id DESC LIMIT 1),
joined AS (
  UPDATE COUNTS AS c SET lines = c.lines + own.lines FROM own, previous AS p
  WHERE c.BOARD = $1 AND c.below = p.below AND c.at_ms = p.at_ms AND c.player_id = p.player_id
    AND p.lines + own.lines <= $5
  RETURNING 1)
DELETE FROM COUNTS WHERE BOARD = $1 AND below = $2 AND at_ms = $3 AND player_id = $4
  AND EXISTS (SELECT 1 FROM joined)
)sql";

Counting counting_of(const sql::CountedLines& source) {
  return {.take = sql::of_kind(source, kTake),
          .next = sql::of_kind(source, kNext),
          .drop = sql::of_kind(source, kDrop),
          .divide = sql::of_kind(source, kDivide),
          .is_empty = sql::of_kind(source, kIsEmpty),
          .join = sql::of_kind(source, kJoin)};
}

// Made once: connections prepare statements by their addresses.
const Counting& counting_of_ratings() {
  static const Counting counting = counting_of(sql::kRatingLines);
  return counting;
}

const Counting& counting_of_scores() {
  static const Counting counting = counting_of(sql::kScoreLines);
  return counting;
}

/// A board and a place on it, as the database gave them.
struct Block {
  std::string board;
  std::int64_t below{};
  std::int64_t at_ms{};
  std::int64_t player{};
  Fate fate{};

  Query& bind(Query& query) const {
    return query.bytes(board).number(below).number(at_ms).number(player);
  }
};

awaitable<void> divide(Attempt& attempt, const Counting& sql, const Block& block) {
  Batch look;
  block.bind(look.add(sql.next.c_str()));
  block.bind(look.add(sql.drop.c_str()));
  const auto found = co_await attempt.run(std::move(look));
  // Behind the last line.
  std::int64_t below = std::numeric_limits<std::int64_t>::max();
  std::int64_t at_ms = 0;
  std::int64_t player = 0;
  if (found.front().size() == 1) {
    below = found.front()[0].number(0);
    at_ms = found.front()[0].number(1);
    player = found.front()[0].number(2);
  }
  Batch batch;
  Query& query = block.bind(batch.add(sql.divide.c_str()));
  query.number(below).number(at_ms).number(player).number(kLines);
  const auto divided = co_await attempt.run(std::move(batch));
  if (divided.front().changed() > 0) co_return;
  Batch empty;
  block.bind(empty.add(sql.is_empty.c_str())).number(below).number(at_ms).number(player);
  static_cast<void>(co_await attempt.run(std::move(empty)));
}

awaitable<void> change(Attempt& attempt, const Counting& sql) {
  const auto taken = co_await attempt.run(
      Query(sql.take.c_str()).number(kAtOnce).number(2 * kLines).number(kLines / 8));
  for (const Row row : taken) {
    Block block{.board = row.text(0),
                .below = row.number(1),
                .at_ms = row.number(2),
                .player = row.number(3),
                .fate = static_cast<Fate>(row.number(4))};
    if (block.fate != Fate::kIsShort) {
      co_await divide(attempt, sql, block);
      continue;
    }
    Batch join;
    block.bind(join.add(sql.join.c_str())).number(kLines);
    static_cast<void>(co_await attempt.run(std::move(join)));
  }
}

/// Adds the oldest changes of lines to the counts, at most limits::kBoardChangesAtOnce of each kind
/// of board, and divides and joins blocks. Whether as many waited, so that more may. Nothing while
/// another server does the same. Waits for no disk: what a crash of PostgreSQL undoes is done
/// again. Throws Failure.
awaitable<Expected<bool>> count_changes(Attempt& attempt) {
  const auto answer = co_await attempt.run(Query(kWaiting).number(kAtOnce));
  const std::int64_t waiting = answer[0].number(0);
  if (waiting == 0) co_return false;
  Batch begin;
  begin.add(kBegin);
  begin.add(kNoSync);
  begin.add(kTryLock);
  const auto begun = co_await attempt.run(std::move(begin));
  const bool is_locked = begun[2][0].flag(0);
  if (is_locked) {
    co_await change(attempt, counting_of_ratings());
    co_await change(attempt, counting_of_scores());
  }
  co_await attempt.commit();
  co_return is_locked&& waiting == kAtOnce;
}

}  // namespace

void BoardCounter::start() {
  boost::asio::co_spawn(pause_.get_executor(), run(), boost::asio::detached);
}

void BoardCounter::stop() {
  stopped_ = true;
  pause_.cancel();
}

awaitable<void> BoardCounter::run() {
  boost::system::error_code cancelled;
  bool more = false;
  while (!stopped_) {
    if (!more) {
      pause_.expires_after(limits::kBoardCountInterval);
      co_await pause_.async_wait(
          boost::asio::redirect_error(boost::asio::use_awaitable, cancelled));
    }
    if (stopped_) break;
    const auto counted = co_await writes_.run<count_changes>();
    // What was not counted now is counted the next time; places are right without it.
    more = counted && *counted;
  }
}

}  // namespace tesela::store::postgres
