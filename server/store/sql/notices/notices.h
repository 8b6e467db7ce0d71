// What players are told while they are away, and their devices.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/notices.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

// Contracts and errors as in Notices.

boost::asio::awaitable<Expected<void>> add_notices(WriteSession& session,
                                                   const std::vector<NewNotice>& notices);
boost::asio::awaitable<Expected<bool>> notices_due(Session& session, std::int64_t now_ms);
boost::asio::awaitable<Expected<std::vector<DueNotice>>> claim_notices(WriteSession& session,
                                                                       std::int64_t now_ms,
                                                                       std::int64_t lease_ms,
                                                                       std::size_t max);
boost::asio::awaitable<Expected<void>> settle_notice(WriteSession& session, std::uint64_t id,
                                                     std::int64_t lease_ms,
                                                     std::optional<std::int64_t> due_ms,
                                                     std::int64_t tries);
boost::asio::awaitable<Expected<void>> set_webhook(WriteSession& session, bool on);
boost::asio::awaitable<Expected<void>> add_device(WriteSession& session, PlayerId player,
                                                  SessionId of, const PushDevice& device,
                                                  std::int64_t at_ms);
boost::asio::awaitable<Expected<void>> remove_device(WriteSession& session,
                                                     const std::string& endpoint,
                                                     std::optional<PlayerId> player);
boost::asio::awaitable<Expected<NotificationLists>> notifications(Session& session,
                                                                  PlayerId player);
boost::asio::awaitable<Expected<void>> set_notifications(WriteSession& session, PlayerId player,
                                                         const NoticeChoices& choices);

/// With the batch, the notice is added.
void add_notice(Batch& batch, const NewNotice& notice);
/// With the batch, which ends sessions of the player, the devices of ended ones are removed.
void remove_devices_of_ended(Batch& batch, PlayerId player);

}  // namespace tesela::store::sql
