// Earlier positions of a table: the way back over the moves that are in force, to the nearest
// stored snapshot, and forward again.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/games/match.h"
#include "server/replay/replay.h"
#include "server/replay/start_of_execution.h"

namespace tesela::replay {

/// An earlier position, for an undo.
struct Earlier {
  Version version;
  std::unique_ptr<games::Match> match;
  std::uint64_t events{};  // that were executed for it
};

using Positions = std::map<Version, std::unique_ptr<games::Match>>;

/// The positions at versions of `wanted`, each of which is that of a move in force at `now` or of
/// the beginning. Moves that were taken back are not executed. Errors: those of EventLog::read;
/// kCorrupt when a version is no such one, the rules refuse a record, or a digest differs.
boost::asio::awaitable<Expected<Positions>> positions_in_force(Source source, TableId table,
                                                               Version now,
                                                               std::set<Version> wanted);

/// The position before the last move in force at `now`; empty when there is none. It is executed
/// on an executor of `aside`; the caller resumes on its own. Errors as above.
boost::asio::awaitable<Expected<std::optional<Earlier>>> before_last_move(const Aside& aside,
                                                                          Source source,
                                                                          TableId table,
                                                                          Version now);

}  // namespace tesela::replay
