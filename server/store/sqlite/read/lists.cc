#include "server/store/sqlite/read/lists.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <tuple>

#include "server/store/refusals.h"

namespace tesela::store {
namespace {

constexpr std::array kStates{TableState::kInPlay, TableState::kOver, TableState::kOpen,
                             TableState::kClosed};

// An index has the columns of the conditions first, then those of the order.
std::string page_of_tables(const std::string& condition) {
  return "SELECT created_ms, id FROM tables WHERE " + condition +
         "public = ?1 AND state = ?2 AND (created_ms, id) < (?3, ?4)"
         " ORDER BY created_ms DESC, id DESC LIMIT ?5";
}

// A player with several seats at a table gets it once.
std::string page_of_seats(const std::string& condition) {
  return "SELECT DISTINCT created_ms, table_id FROM seats WHERE " + condition +
         "public = ?1 AND state = ?2 AND (created_ms, table_id) < (?3, ?4)"
         " ORDER BY created_ms DESC, table_id DESC LIMIT ?5";
}

bool is_newer(const TableCursor& a, const TableCursor& b) {
  return std::tie(a.created_ms, a.id) > std::tie(b.created_ms, b.id);
}

/// The cursor before which a list begins.
TableCursor start_of(const TableFilter& filter, const std::optional<TableCursor>& after) {
  TableCursor start =
      after.value_or(TableCursor{.created_ms = std::numeric_limits<std::int64_t>::max(), .id = {}});
  if (filter.made_before_ms) {
    const TableCursor then{.created_ms = *filter.made_before_ms, .id = {}};
    if (is_newer(start, then)) start = then;
  }
  return start;
}

}  // namespace

TableLists::TableLists(Connection& connection)
    : all_(connection, page_of_tables("")),
      of_game_(connection, page_of_tables("game = ?6 AND ")),
      of_player_(connection, page_of_seats("player_id = ?7 AND ")),
      of_player_and_game_(connection, page_of_seats("player_id = ?7 AND game = ?6 AND ")),
      with_bots_(connection, page_of_seats("strategy <> '' AND ")) {}

Statement& TableLists::list_of(const TableFilter& filter) {
  if (filter.with_bots) return with_bots_;
  if (filter.player && !filter.game.empty()) {
    return of_player_and_game_.bind(7, *filter.player).bind_text(6, filter.game);
  }
  if (filter.player) return of_player_.bind(7, *filter.player);
  if (!filter.game.empty()) return of_game_.bind_text(6, filter.game);
  return all_;
}

Expected<std::vector<TableCursor>> TableLists::page(const TableFilter& filter,
                                                    const std::optional<TableCursor>& after,
                                                    std::size_t max) {
  if (filter.with_bots && (filter.player || !filter.game.empty())) return not_with_bots();
  const TableCursor start = start_of(filter, after);
  Statement& list = list_of(filter);
  // Each state, and private and public tables, is a range of its own; their union contains the
  // page.
  std::vector<TableCursor> page;
  const auto states = filter.state ? std::span<const TableState>(&*filter.state, 1)
                                   : std::span<const TableState>(kStates);
  for (const TableState state : states) {
    for (const bool is_public : {true, false}) {
      if (!is_public && !filter.private_too) continue;
      list.bind(1, std::int64_t{is_public})
          .bind(2, static_cast<std::int64_t>(state))
          .bind(3, start.created_ms)
          .bind(4, start.id)
          .bind(5, static_cast<std::int64_t>(max));
      list.each_row([&](const Statement& row) {
        page.push_back({.created_ms = row.number(0), .id = row.id<TableId>(1)});
      });
    }
  }
  std::ranges::sort(page, is_newer);
  page.resize(std::min(page.size(), max));
  return page;
}

namespace {

constexpr std::int64_t kEndOfTime = std::numeric_limits<std::int64_t>::max();

/// The least text greater than all texts with `prefix`, which is not empty and UTF-8, so that its
/// bytes are below 0xff.
std::string end_of(std::string prefix) {
  prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  return prefix;
}

}  // namespace

PlayerRow player_of(const Statement& row) {
  PlayerRow player{.id = row.id<PlayerId>(0),
                   .display_name = row.text(1),
                   .created_ms = row.number(2),
                   .kind = row.one_of(3, PlayerKind::kPerson, PlayerKind::kBot),
                   .identity = row.blob(4)};
  if (!row.null(5)) player.erased_ms = row.number(5);
  return player;
}

PlayerLists::PlayerLists(Connection& connection)
    : newest_first_(connection, std::string("SELECT ") + kPlayerColumns +
                                    " FROM players WHERE (created_ms, id) < (?1, ?2)"
                                    " ORDER BY created_ms DESC, id DESC LIMIT ?3"),
      by_name_(connection, std::string("SELECT ") + kPlayerColumns +
                               " FROM players WHERE (display_name, created_ms, id) > (?4, ?1, ?2)"
                               " AND display_name < ?5"
                               " ORDER BY display_name, created_ms, id LIMIT ?3") {}

std::vector<PlayerRow> PlayerLists::page(const std::string& name_prefix,
                                         const std::optional<PlayerCursor>& after,
                                         std::size_t max) {
  Statement& list = name_prefix.empty() ? newest_first_ : by_name_;
  // Without a cursor: before the newest, or before the first name.
  PlayerCursor start = after.value_or(PlayerCursor{
      .created_ms = name_prefix.empty() ? kEndOfTime : -1, .id = {}, .display_name = name_prefix});
  if (start.display_name < name_prefix)
    start = {.created_ms = -1, .id = {}, .display_name = name_prefix};
  const std::string end = name_prefix.empty() ? std::string() : end_of(name_prefix);
  list.bind(1, start.created_ms).bind(2, start.id).bind(3, static_cast<std::int64_t>(max));
  if (!name_prefix.empty()) list.bind_text(4, start.display_name).bind_text(5, end);
  std::vector<PlayerRow> players;
  list.each_row([&](const Statement& row) { players.push_back(player_of(row)); });
  return players;
}

}  // namespace tesela::store
