// The scheduling of the calling thread.
#pragma once

#include <chrono>

namespace tesela::base {

/// Lowers the priority of the calling thread: setpriority(2). If the process has two cores or more,
/// also excludes the first one for it and the threads that it starts, so that threads on the path
/// of a move have a core of their own: sched_setaffinity(2).
void lower_priority(int niceness);

/// Shortens the time slice of the calling thread, so that on waking it preempts threads with longer
/// slices: sched_setattr(2), on Linux from 6.12; otherwise without effect. Its share of the core
/// does not change.
void shorten_slice(std::chrono::nanoseconds slice);

}  // namespace tesela::base
