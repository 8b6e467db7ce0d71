// The answers to a batch: one post to each executor among its callers, however many wait there.
#pragma once

#include <span>

#include "server/store/sqlite/write/write.h"

namespace tesela::store {

/// Resumes the call of every write with its outcome, each on its own executor, in the order of the
/// batch. Takes both out of the writes.
void reply(std::span<Write> batch);

}  // namespace tesela::store
