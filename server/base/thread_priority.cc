#include "server/base/thread_priority.h"

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
  std::uint64_t runtime{};  // nanoseconds: of SCHED_OTHER the slice
  std::uint64_t deadline{};
  std::uint64_t period{};
};
static_assert(sizeof(SchedulingAttributes) == 48);

}  // namespace

void step_back(int niceness) {
  // On Linux a thread has a niceness of its own, and 0 means the caller's.
  static_cast<void>(setpriority(PRIO_PROCESS, 0, niceness));
}

void shorten_slice(std::chrono::nanoseconds slice) {
  SchedulingAttributes attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  attributes.runtime = static_cast<std::uint64_t>(slice.count());
  static_cast<void>(syscall(SYS_sched_setattr, 0, &attributes, 0));
}

}  // namespace tesela::base
