#include "server/store/sqlite/read/player_lists.h"

#include <cstdint>
#include <limits>

namespace tesela::store {
namespace {

constexpr std::int64_t kEndOfTime = std::numeric_limits<std::int64_t>::max();

/// The least text that comes after all that begin with `prefix`, which is not empty and UTF-8: its
/// bytes are below 0xff.
std::string end_of(std::string prefix) {
  prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  return prefix;
}

}  // namespace

PlayerRow player_of(const Statement& row) {
  return {.id = row.id<PlayerId>(0),
          .display_name = row.text(1),
          .created_ms = row.number(2),
          .kind = static_cast<PlayerKind>(row.number(3)),
          .identity = row.blob(4)};
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
  // Before the newest, or before the oldest of the first name.
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
