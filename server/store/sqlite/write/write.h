// A write that waits for the writer, and its reply.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <span>
#include <variant>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/store/event_log.h"
#include "server/store/ownership.h"
#include "server/store/sql/session/session.h"
#include "server/store/suspend.h"

namespace tesela::store {

struct Claim {
  TableId table;
  Owned* owned{};  // set by the writer before the reply
};

/// An operation of store/sql.
struct Operation {
  std::move_only_function<boost::asio::awaitable<void>(sql::WriteSession&)> work;
};

/// Unused pages are given back to the file system.
struct GiveBackPages {
  std::size_t* pages{};  // set by the writer before the reply
};

/// Events are compacted soon, however few there are.
struct HurryCompaction {};

/// One write and the call that waits for it, in whose frame is what it sets.
struct Write {
  using Request =
      std::variant<Append, Claim, sql::Batch, Operation, GiveBackPages, HurryCompaction>;

  Request request;
  base::Continuation caller{};
  Resume<void> resume{};  // empty: nobody waits
  Expected<void> outcome{};
};

/// Resumes the call of every write with its outcome, on the call's executor, in the order of the
/// batch. Posts once to each executor, however many calls of the batch it has. Moves `resume` and
/// `outcome` out of the writes.
void reply(std::span<Write> batch);

}  // namespace tesela::store
