#include "server/base/threads/thread_priority.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <thread>

namespace tesela::base {
namespace {

cpu_set_t cores_of_this_thread() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  EXPECT_EQ(sched_getaffinity(0, sizeof cores, &cores), 0);
  return cores;
}

TEST(LowerPriority, LeavesTheFirstCoreToOthersAndPassesThatOn) {
  const cpu_set_t all = cores_of_this_thread();
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "this machine has one core";
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  cpu_set_t own;
  cpu_set_t child;
  int niceness = 0;
  std::thread([&] {
    lower_priority(7);
    own = cores_of_this_thread();
    std::thread([&] {
      child = cores_of_this_thread();
      niceness = getpriority(PRIO_PROCESS, 0);
    }).join();
  }).join();
  EXPECT_FALSE(CPU_ISSET(first, &own));
  EXPECT_EQ(CPU_COUNT(&own), CPU_COUNT(&all) - 1);
  EXPECT_TRUE(CPU_EQUAL(&child, &own));
  EXPECT_EQ(niceness, 7);
  const cpu_set_t still = cores_of_this_thread();
  EXPECT_TRUE(CPU_EQUAL(&still, &all));  // the caller's own thread
}

}  // namespace
}  // namespace tesela::base
