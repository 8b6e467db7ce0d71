// Reads of what the store has of single players, but for their accounts.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/ids.h"
#include "server/store/personal_data.h"
#include "server/store/postgres/connection/attempts.h"

namespace tesela::store::postgres {

// As the functions of queries.h; contracts as in PersonalData.

boost::asio::awaitable<Expected<std::vector<PlayerId>>> erased(Attempt& attempt, std::size_t max);
boost::asio::awaitable<Expected<std::vector<ScoreLine>>> scores(Attempt& attempt, PlayerId player,
                                                                std::uint64_t after,
                                                                std::size_t max);

}  // namespace tesela::store::postgres
