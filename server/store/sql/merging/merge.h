// The merge of a guest into an account.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "engine/core/result.h"
#include "server/store/personal_data.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

/// Moves what is the guest's, but sessions, to the account. The transaction stays open: the caller
/// ends the guest's sessions in it, and commits. Where `merged_before`, nothing was done. Errors:
/// those of PersonalData::merge.
boost::asio::awaitable<Expected<Merged>> merge(WriteSession& session, const Merge& wanted);

}  // namespace tesela::store::sql
