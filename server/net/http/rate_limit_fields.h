// What a client is told of the limit on its requests.
#pragma once

#include "server/net/http/http_message.h"

namespace tesela::net {

/// Sets RateLimit-Policy and RateLimit
/// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/) by the requests of an
/// address. `quota` null: no limit.
void add_rate_limit(const quota::QuotaPtr& quota, Response& response);

/// Sets Retry-After where a response is 429 or 503 and has none.
void add_retry_after(Response& response);

}  // namespace tesela::net
