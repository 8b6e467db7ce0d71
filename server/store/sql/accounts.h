// Sessions and credentials of players.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/accounts.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

// Contracts and errors as in Accounts. The writes may run again as those of table_writes.h.

boost::asio::awaitable<Expected<void>> add_guest(WriteSession& session, const PlayerRow& player,
                                                 const SessionRow& first);
boost::asio::awaitable<Expected<std::vector<SessionId>>> add_session(
    WriteSession& session, const SessionRow& row, const std::optional<CredentialUse>& use,
    std::int64_t dead_before_ms);
boost::asio::awaitable<Expected<SessionRow>> session_row(Session& session, SessionId id);
boost::asio::awaitable<Expected<std::vector<SessionRow>>> sessions(Session& session,
                                                                   PlayerId player,
                                                                   std::int64_t seen_since_ms);
boost::asio::awaitable<Expected<void>> see_session(WriteSession& session, SessionId id,
                                                   PlayerId player, std::int64_t at_ms);
boost::asio::awaitable<Expected<std::vector<SessionId>>> end_sessions(WriteSession& session,
                                                                      PlayerId player,
                                                                      std::optional<SessionId> only,
                                                                      std::optional<SessionId> but);
boost::asio::awaitable<Expected<std::vector<EndedSession>>> ended_sessions(Session& session,
                                                                           std::int64_t since_ms,
                                                                           std::size_t max);
boost::asio::awaitable<Expected<void>> add_credential(WriteSession& session,
                                                      const CredentialRow& row);
boost::asio::awaitable<Expected<std::vector<CredentialRow>>> credentials(Session& session,
                                                                         PlayerId player);
boost::asio::awaitable<Expected<CredentialRow>> credential(Session& session, const std::string& id);
boost::asio::awaitable<Expected<void>> name_credential(WriteSession& session, PlayerId player,
                                                       const std::string& id,
                                                       const std::string& name);
boost::asio::awaitable<Expected<void>> remove_credential(WriteSession& session, PlayerId player,
                                                         const std::string& id, bool last_too);

/// The player's kind. Nobody else changes the account until the end. Error: kNotFound, also for one
/// that was erased.
boost::asio::awaitable<Expected<PlayerKind>> lock_account(WriteSession& session, PlayerId player);

/// With the batch, the player's sessions and credentials, acts on the player, reports of and by the
/// player, and what other reports have of the player's talk, are deleted.
void delete_account_of(Batch& batch, PlayerId player);

}  // namespace tesela::store::sql
