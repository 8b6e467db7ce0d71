// A notice as it is sent: to a device, and to the operator's webhook. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/fetch/fetch.h"
#include "server/store/notices.h"

namespace tesela::push {

/// "your-turn"
[[nodiscard]] std::string_view name_of(store::NoticeKind kind);

/// What a device gets (notifications.proto).
[[nodiscard]] std::string push_text(const store::DueNotice& notice);

/// A hash of what the notice is about, which a later one replaces (RFC 8030, 5.4).
[[nodiscard]] std::string topic_of(const store::DueNotice& notice);

/// The same for the webhook as JSON, with the player, and a link to the page at `origin`.
[[nodiscard]] std::string webhook_text(const store::DueNotice& notice, std::string_view origin,
                                       std::int64_t unix_ms);

/// The headers of Standard Webhooks 1.0.0 for that text. The id is the same for each try.
void sign_webhook(fetch::Question& question, const store::DueNotice& notice,
                  std::string_view secret, std::int64_t unix_s);

}  // namespace tesela::push
