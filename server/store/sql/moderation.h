// Reports of players, and acts of operators.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/moderation.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

// Contracts and errors as in Moderation. The writes may run again as those of table_writes.h.

boost::asio::awaitable<Expected<void>> add_report(WriteSession& session, const ReportRow& report);
boost::asio::awaitable<Expected<std::vector<ReportRow>>> reports(Session& session, ReportList which,
                                                                 PlayerId player,
                                                                 std::optional<PastCursor> after,
                                                                 std::size_t max);
boost::asio::awaitable<Expected<ReportRow>> report(Session& session, ReportId id);
boost::asio::awaitable<Expected<std::vector<ReportLine>>> lines_of(Session& session,
                                                                   PlayerId player,
                                                                   std::size_t max);
boost::asio::awaitable<Expected<void>> assign_report(WriteSession& session, ReportId id,
                                                     const std::string& assignee);
boost::asio::awaitable<Expected<void>> close_report(WriteSession& session, ReportId id,
                                                    const std::string& assignee,
                                                    const std::string& outcome, std::int64_t at_ms);

boost::asio::awaitable<Expected<Acted>> act(WriteSession& session, ActRow row, std::int64_t now_ms);
boost::asio::awaitable<Expected<Acted>> undo(WriteSession& session, ActRow undo,
                                             std::int64_t now_ms);
boost::asio::awaitable<Expected<std::vector<ActRow>>> acts(Session& session, PlayerId player,
                                                           std::size_t max);
boost::asio::awaitable<Expected<std::vector<ActRow>>> acts_in_force(Session& session,
                                                                    std::int64_t now_ms,
                                                                    std::size_t max);
boost::asio::awaitable<Expected<ActRow>> find_act(Session& session, ActId id);
boost::asio::awaitable<Expected<std::vector<ActRow>>> acts_since(Session& session,
                                                                 std::int64_t since_ms,
                                                                 std::size_t max);
boost::asio::awaitable<Expected<void>> see_act(WriteSession& session, PlayerId player, ActId act,
                                               const std::string& answer, std::int64_t at_ms);

}  // namespace tesela::store::sql
