// Writes that may be tried again after a try of which it is unknown whether it was committed.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <utility>

#include "engine/core/result.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::sql {

/// Whether an earlier try was committed: then `question` has a row. It is as
/// durable as an acknowledged commit when this returns. Finishes the session.
boost::asio::awaitable<bool> is_stored(WriteSession& session, Query question);

/// An earlier try was committed, as the session has found: returns when it is as durable. Finishes
/// the session without a change.
boost::asio::awaitable<void> confirm(WriteSession& session);

/// What a violated constraint means for the caller.
using Refused = std::unexpected<Error> (*)(const Violation& violation);

/// Runs `operation(session)`, an awaitable<Expected<void>>. Where it is refused, and an earlier try
/// may have been committed, asks `question`: if that has a row, the earlier try was, and its answer
/// is this one's. Otherwise the answer is that of the operation, or `refused` of the constraint
/// that it has violated.
template <class Operation>
boost::asio::awaitable<Expected<void>> idempotent(WriteSession& session, Query question,
                                                  Refused refused, Operation operation) {
  std::optional<Violation> violation;
  Expected<void> done;
  try {
    done = co_await operation(session);
    if (done) co_return done;
  } catch (const Violation& violated) {
    violation.emplace(violated);
  }
  co_await session.roll_back();
  const bool stored = co_await is_stored(session, std::move(question));
  if (stored) co_return Expected<void>{};
  if (violation) co_return refused(*violation);
  co_return done;
}

}  // namespace tesela::store::sql
