// Players, and what names them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/personal_data.h"
#include "server/store/sql/session/rows.h"
#include "server/store/sql/session/session.h"
#include "server/store/store.h"

namespace tesela::store::sql {

// Contracts and errors as in Store and PersonalData.

boost::asio::awaitable<Expected<PlayerRow>> player(Session& session, PlayerId id);
boost::asio::awaitable<Expected<std::vector<PlayerRow>>> players(
    Session& session, const std::string& name_prefix, const std::optional<PlayerCursor>& after,
    std::size_t max);
boost::asio::awaitable<Expected<std::vector<SeekerRow>>> seekers(
    Session& session, const std::string& game, const std::vector<PlayerId>& players);
boost::asio::awaitable<Expected<std::vector<ErasedPlayer>>> erased(Session& session,
                                                                   std::size_t max);
boost::asio::awaitable<Expected<std::vector<ScoreLine>>> scores(Session& session, PlayerId player,
                                                                std::uint64_t after,
                                                                std::size_t max);

// Writes, which may run again as those of table_writes.h.

boost::asio::awaitable<Expected<void>> add_player(WriteSession& session, const PlayerRow& player);
/// With the batch, the player is added.
void insert_player(Batch& batch, const PlayerRow& player);
boost::asio::awaitable<Expected<void>> erase(WriteSession& session, PlayerId player,
                                             std::int64_t at_ms,
                                             const std::vector<TableId>& tables);
boost::asio::awaitable<Expected<Merged>> merge_and_finish(WriteSession& session,
                                                          const Merge& wanted);

/// Those of player_of, of `players p`.
inline const std::string kPlayerColumns =
    "SELECT p.id, p.display_name, p.created_ms, p.kind, p.identity, p.erased_ms, p.audience,"
    " p.owner_id FROM ";
[[nodiscard]] PlayerRow player_of(Row row);
/// The columns board_id, kind, game, config, day, points, at_ms and table_id of a score.
[[nodiscard]] ScoreLine score_of(Row row);

/// A text that is greater than all names with `prefix`, in the order of their bytes, and not
/// greater than any other that is greater than these. Both are UTF-8.
[[nodiscard]] std::string end_of_prefix(std::string prefix);

}  // namespace tesela::store::sql
