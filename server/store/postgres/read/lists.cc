#include "server/store/postgres/read/lists.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "server/store/postgres/read/queries.h"
#include "server/store/refusals.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr std::array kStates{TableState::kInPlay, TableState::kOver, TableState::kOpen,
                             TableState::kClosed};
constexpr std::int64_t kEndOfTime = std::numeric_limits<std::int64_t>::max();

// An index has the columns of the conditions first, then those of the order. A player with several
// seats at a table gets it once.
constexpr const char* kAll =
    "SELECT created_ms, id FROM tables WHERE public = $1 AND state = $2"
    " AND (created_ms, id) < ($3, $4) ORDER BY created_ms DESC, id DESC LIMIT $5";
constexpr const char* kOfGame =
    "SELECT created_ms, id FROM tables WHERE game = $6 AND public = $1 AND state = $2"
    " AND (created_ms, id) < ($3, $4) ORDER BY created_ms DESC, id DESC LIMIT $5";
constexpr const char* kOfPlayer =
    "SELECT DISTINCT created_ms, table_id FROM seats WHERE player_id = $6 AND public = $1"
    " AND state = $2 AND (created_ms, table_id) < ($3, $4)"
    " ORDER BY created_ms DESC, table_id DESC LIMIT $5";
constexpr const char* kOfPlayerAndGame =
    "SELECT DISTINCT created_ms, table_id FROM seats WHERE player_id = $6 AND game = $7 AND public "
    "= $1"
    " AND state = $2 AND (created_ms, table_id) < ($3, $4)"
    " ORDER BY created_ms DESC, table_id DESC LIMIT $5";
constexpr const char* kWithBots =
    "SELECT DISTINCT created_ms, table_id FROM seats WHERE strategy <> '' AND public = $1"
    " AND state = $2 AND (created_ms, table_id) < ($3, $4)"
    " ORDER BY created_ms DESC, table_id DESC LIMIT $5";

constexpr const char* kPlayers =
    "SELECT id, display_name, created_ms, kind, identity, erased_ms FROM players"
    " WHERE (created_ms, id) < ($1, $2) ORDER BY created_ms DESC, id DESC LIMIT $3";
constexpr const char* kPlayersByName =
    "SELECT id, display_name, created_ms, kind, identity, erased_ms FROM players"
    " WHERE (display_name, created_ms, id) > ($4, $1, $2) AND display_name < $5"
    " ORDER BY display_name, created_ms, id LIMIT $3";

bool is_newer(const TableCursor& a, const TableCursor& b) {
  return std::tie(a.created_ms, a.id) > std::tie(b.created_ms, b.id);
}

/// The cursor before which a list begins.
TableCursor start_of(const TableFilter& filter, const std::optional<TableCursor>& after) {
  TableCursor start = after.value_or(TableCursor{.created_ms = kEndOfTime, .id = {}});
  if (filter.made_before_ms) {
    const TableCursor then{.created_ms = *filter.made_before_ms, .id = {}};
    if (is_newer(start, then)) start = then;
  }
  return start;
}

const char* list_of(const TableFilter& filter) {
  if (filter.with_bots) return kWithBots;
  if (filter.player) return filter.game.empty() ? kOfPlayer : kOfPlayerAndGame;
  return filter.game.empty() ? kAll : kOfGame;
}

/// Each state, and private and public tables, is a walk of its own; their union contains the page.
void add_walks(Pipeline& pipeline, const TableFilter& filter,
               const std::optional<TableCursor>& after, std::size_t max) {
  const TableCursor start = start_of(filter, after);
  const auto states = filter.state ? std::span<const TableState>(&*filter.state, 1)
                                   : std::span<const TableState>(kStates);
  for (const TableState state : states) {
    for (const bool is_public : {true, false}) {
      if (!is_public && !filter.private_too) continue;
      Query& walk = pipeline.add(list_of(filter))
                        .flag(is_public)
                        .number(static_cast<std::int64_t>(state))
                        .number(start.created_ms)
                        .id(start.id)
                        .number(static_cast<std::int64_t>(max));
      if (filter.player) walk.id(*filter.player);
      if (!filter.game.empty()) walk.bytes(filter.game);
    }
  }
}

std::vector<TableId> page_of(std::span<const Result> walks, std::size_t max) {
  std::vector<TableCursor> page;
  for (const Result& walk : walks) {
    for (int row = 0; row < walk.rows(); ++row) {
      page.push_back({.created_ms = walk.number(row, 0), .id = walk.id<TableId>(row, 1)});
    }
  }
  std::ranges::sort(page, is_newer);
  page.resize(std::min(page.size(), max));
  std::vector<TableId> ids;
  ids.reserve(page.size());
  for (const TableCursor& listed : page) ids.push_back(listed.id);
  return ids;
}

bool is_listed_before(const TableRow& a, const TableRow& b) {
  return std::tie(a.created_ms, a.id) > std::tie(b.created_ms, b.id);
}

constexpr int kLongerThanNames = 256;  // characters
constexpr std::uint32_t kCodePointMax = 0x10ffff;
constexpr std::uint32_t kSurrogateMin = 0xd800;
constexpr std::uint32_t kAfterSurrogates = 0xe000;

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

/// The code point of one character.
std::uint32_t decoded(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  std::uint32_t point = lead & (0x7fU >> character.size());
  for (const char byte : character.substr(1)) {
    point = point << 6U | (static_cast<unsigned char>(byte) & 0x3fU);
  }
  return point;
}

std::string encoded(std::uint32_t point) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  const auto tail = [&](std::uint32_t shift) { return byte(0x80U | (point >> shift & 0x3fU)); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xc0U | point >> 6U), tail(0)};
  if (point < 0x10000) return {byte(0xe0U | point >> 12U), tail(6), tail(0)};
  return {byte(0xf0U | point >> 18U), tail(12), tail(6), tail(0)};
}

}  // namespace

std::string end_of_prefix(std::string prefix) {
  while (!prefix.empty()) {
    std::size_t begin = prefix.size() - 1;
    while (begin > 0 && continues(prefix[begin])) --begin;
    const std::uint32_t next = decoded(std::string_view(prefix).substr(begin)) + 1;
    prefix.resize(begin);
    if (next > kCodePointMax) continue;
    return prefix + encoded(next == kSurrogateMin ? kAfterSurrogates : next);
  }
  // Every character was the last that there is.
  for (int i = 0; i < kLongerThanNames; ++i) prefix += encoded(kCodePointMax);
  return prefix;
}

awaitable<Expected<std::vector<TableRow>>> list_tables(Attempt& attempt, const TableFilter& filter,
                                                       const std::optional<TableCursor>& after,
                                                       std::size_t max) {
  if (filter.with_bots && (filter.player || !filter.game.empty())) co_return not_with_bots();
  Pipeline walks;
  walks.add(kBeginReading);
  add_walks(walks, filter, after, max);
  const auto walked = co_await attempt.run(std::move(walks));
  const std::vector<TableId> ids = page_of(std::span(walked).subspan(1), max);
  Pipeline rows;
  add_tables(rows, ids);
  rows.add(kCommit);
  const auto results = co_await attempt.run(std::move(rows));
  std::vector<TableRow> tables = tables_of(results[0], results[1]);
  std::ranges::sort(tables, is_listed_before);
  co_return tables;
}

awaitable<Expected<std::vector<PlayerRow>>> list_players(Attempt& attempt,
                                                         const std::string& name_prefix,
                                                         const std::optional<PlayerCursor>& after,
                                                         std::size_t max) {
  const bool by_name = !name_prefix.empty();
  // Without a cursor: before the newest, or before the first name.
  const PlayerCursor first{
      .created_ms = by_name ? -1 : kEndOfTime, .id = {}, .display_name = name_prefix};
  const bool begins = !after || after->display_name < name_prefix;
  const PlayerCursor& start = begins && (by_name || !after) ? first : *after;
  Pipeline pipeline;
  Query& list = pipeline.add(by_name ? kPlayersByName : kPlayers)
                    .number(start.created_ms)
                    .id(start.id)
                    .number(static_cast<std::int64_t>(max));
  if (by_name) list.bytes(start.display_name).bytes(end_of_prefix(name_prefix));
  const auto results = co_await attempt.run(std::move(pipeline));
  std::vector<PlayerRow> players;
  players.reserve(static_cast<std::size_t>(results.front().rows()));
  for (int row = 0; row < results.front().rows(); ++row) {
    players.push_back(player_of(results.front(), row));
  }
  co_return players;
}

}  // namespace tesela::store::postgres
