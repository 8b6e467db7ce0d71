#include "server/base/threads/thread_priority.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace tesela::base {
namespace {

// sched_setattr(2). The kernel's header of it cannot be included beside glibc's <sched.h>, and
// glibc has no functions for it before 2.41.
struct SchedulingAttributes {
  std::uint32_t size{sizeof(SchedulingAttributes)};
  std::uint32_t policy{};
  std::uint64_t flags{};
  std::int32_t nice{};
  std::uint32_t priority{};
  std::uint64_t runtime{};  // for SCHED_OTHER the slice, in nanoseconds
  std::uint64_t deadline{};
  std::uint64_t period{};
};
static_assert(sizeof(SchedulingAttributes) == 48);

/// The cores of the process at its start, before any thread was restricted.
const cpu_set_t& cores_of_process() {
  static const cpu_set_t cores = [] {
    cpu_set_t all;
    CPU_ZERO(&all);
    static_cast<void>(sched_getaffinity(getpid(), sizeof all, &all));
    return all;
  }();
  return cores;
}

/// Without a core of its own, a thread that wakes for a move may wait for the scheduler's tick, 4
/// ms at 250 Hz, until a thread of lower priority is preempted.
void leave_first_core() {
  cpu_set_t rest = cores_of_process();
  if (CPU_COUNT(&rest) < 2) return;
  int first = 0;
  while (!CPU_ISSET(first, &rest)) ++first;
  CPU_CLR(first, &rest);
  static_cast<void>(sched_setaffinity(0, sizeof rest, &rest));
}

}  // namespace

void lower_priority(int niceness) {
  // On Linux a thread has a niceness of its own, and 0 means the caller's.
  static_cast<void>(setpriority(PRIO_PROCESS, 0, niceness));
  leave_first_core();
}

void shorten_slice(std::chrono::nanoseconds slice) {
  SchedulingAttributes attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  attributes.runtime = static_cast<std::uint64_t>(slice.count());
  static_cast<void>(syscall(SYS_sched_setattr, 0, &attributes, 0));
}

}  // namespace tesela::base
