// The ratings of a guest who is merged into an account.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <vector>

#include "server/store/personal_data.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

/// Of each game in which the guest is rated the account has the higher rating of both, with its
/// days and meetings; the other one is gone. The transaction stays open.
boost::asio::awaitable<std::vector<MergedRating>> merge_ratings(WriteSession& session,
                                                                const Merge& wanted);

}  // namespace tesela::store::sql
