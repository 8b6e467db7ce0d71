// What a thread gets of a core that others want too.
#pragma once

#include <chrono>

namespace tesela::base {

/// The calling thread stands back behind others of the machine: setpriority(2).
void step_back(int niceness);

/// The calling thread, once it wakes, gets a core from another that is in the middle of a longer
/// slice: sched_setattr(2), on Linux from 6.12; before that, nothing changes. It gets no more of
/// the core, only sooner, and less at once.
void shorten_slice(std::chrono::nanoseconds slice);

}  // namespace tesela::base
