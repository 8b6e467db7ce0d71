// What replaces libc's threads, locks and sleep.
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <absl/base/internal/sysinfo.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdarg>

#include "tests/sim/kernel/kernel.h"
#include "tests/sim/kernel/real.h"

namespace {

using tesela::sim::Kernel;
using tesela::sim::kNever;
using tesela::sim::kSecond;
using tesela::sim::Nanos;
using tesela::sim::Thread;

// The first day of 2026, when the first second of a run begins; the machine was started a day ago.
constexpr Nanos kEpoch = 1'767'225'600 * kSecond;
constexpr Nanos kUpTime = 86'400 * kSecond;

// A look at the clock takes time, so that whoever works until a moment comes to it.
constexpr Nanos kLook = 100;

Nanos nanos(const timespec& time) {
  return time.tv_sec * kSecond + time.tv_nsec;
}

bool is_wall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
}

extern "C" char __executable_start;
extern "C" char etext;

/// Whether a function was called by this executable. Libraries look at clocks as often as real time
/// lets them: gRPC counts the processor's cycles.
bool is_ours(const void* caller) {
  return caller >= &__executable_start && caller < &etext;
}

/// What a clock of the running thread's machine shows.
Nanos shown(Kernel& kernel, clockid_t clock) {
  if (is_wall(clock)) return kEpoch + kernel.now() + kernel.node().wall_offset;
  return kUpTime + kernel.now();
}

/// The virtual time at which a clock shows `time`.
Nanos when_shown(Kernel& kernel, clockid_t clock, const timespec& time) {
  return kernel.now() + (nanos(time) - shown(kernel, clock));
}

timespec spec(Nanos time) {
  return {.tv_sec = time / kSecond, .tv_nsec = time % kSecond};
}

/// The same, for whoever looks.
Nanos look(clockid_t clock, const void* caller) {
  Kernel* const kernel = Kernel::active();
  if (kernel == nullptr) {
    timespec time{};
    REAL(clock_gettime, clock, &time);
    return nanos(time);
  }
  if (is_ours(caller)) kernel->spend(kLook);
  return shown(*kernel, clock);
}

pthread_key_t ending;
pthread_once_t ending_made = PTHREAD_ONCE_INIT;

/// The destructors of other keys and of thread-local objects run before the last round of this one.
void end_of_thread(void* value) {
  const auto round = reinterpret_cast<std::uintptr_t>(value);
  if (round < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(ending, reinterpret_cast<void*>(round + 1));
    return;
  }
  if (Kernel* kernel = Kernel::active()) kernel->leave();
}

std::unordered_map<pthread_t, Thread*>& thread_table() {
  static auto* const table = new std::unordered_map<pthread_t, Thread*>;
  return *table;
}

void* run_thread(void* argument) {
  auto& thread = *static_cast<Thread*>(argument);
  Kernel* kernel = Kernel::active();
  kernel->enter(thread);
  pthread_setspecific(ending, reinterpret_cast<void*>(1));
  return thread.start(thread.argument);
}

int lock(Kernel& kernel, pthread_mutex_t* mutex, Nanos until) {
  for (;;) {
    const int result = REAL(pthread_mutex_trylock, mutex);
    if (result != EBUSY) return result;
    if (until <= kernel.now()) return ETIMEDOUT;
    kernel.wait(mutex, until);
  }
}

int wait_on(Kernel& kernel, pthread_cond_t* condition, pthread_mutex_t* mutex, Nanos until) {
  REAL(pthread_mutex_unlock, mutex);
  kernel.wake_one(mutex);
  const bool woken = kernel.wait(condition, until);
  lock(kernel, mutex, kNever);
  return woken ? 0 : ETIMEDOUT;
}

int sleep_until(Kernel& kernel, Nanos until) {
  const int nothing = 0;
  while (kernel.now() < until) kernel.wait(&nothing, until);
  return 0;
}

}  // namespace

// Every one calls the real function while no simulation runs.
#define KERNEL_OR(...)                     \
  Kernel* const kernel = Kernel::active(); \
  if (kernel == nullptr) return __VA_ARGS__

extern "C" {

int pthread_create(pthread_t* id, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  KERNEL_OR(REAL(pthread_create, id, attributes, start, argument));
  REAL(pthread_once, &ending_made, [] { pthread_key_create(&ending, end_of_thread); });
  Thread& thread = kernel->add_thread(kernel->node(), start, argument);
  const int result = REAL(pthread_create, id, attributes, run_thread, &thread);
  if (result == 0) thread_table()[*id] = &thread;
  return result;
}

int pthread_join(pthread_t id, void** result) {
  KERNEL_OR(REAL(pthread_join, id, result));
  const auto found = thread_table().find(id);
  if (found != thread_table().end()) {
    Thread& thread = *found->second;
    while (thread.state != Thread::State::kEnded) kernel->wait(&thread);
    thread_table().erase(id);
    kernel->let_go(thread);
  }
  return REAL(pthread_join, id, result);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  KERNEL_OR(REAL(pthread_mutex_lock, mutex));
  return lock(*kernel, mutex, kNever);
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) {
  KERNEL_OR(REAL(pthread_mutex_timedlock, mutex, until));
  return lock(*kernel, mutex, when_shown(*kernel, CLOCK_REALTIME, *until));
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  KERNEL_OR(REAL(pthread_mutex_clocklock, mutex, clock, until));
  return lock(*kernel, mutex, when_shown(*kernel, clock, *until));
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  KERNEL_OR(REAL(pthread_mutex_unlock, mutex));
  const int result = REAL(pthread_mutex_unlock, mutex);
  kernel->wake_one(mutex);
  return result;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  KERNEL_OR(REAL(pthread_cond_wait, condition, mutex));
  return wait_on(*kernel, condition, mutex, kNever);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                           const timespec* until) {
  KERNEL_OR(REAL(pthread_cond_timedwait, condition, mutex, until));
  // A condition of another clock says so in its flags (glibc: __flags, bit 1 for CLOCK_MONOTONIC).
  const bool monotonic = (condition->__data.__wrefs & 2U) != 0;
  const clockid_t clock = monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  return wait_on(*kernel, condition, mutex, when_shown(*kernel, clock, *until));
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  KERNEL_OR(REAL(pthread_cond_clockwait, condition, mutex, clock, until));
  return wait_on(*kernel, condition, mutex, when_shown(*kernel, clock, *until));
}

int pthread_cond_signal(pthread_cond_t* condition) {
  KERNEL_OR(REAL(pthread_cond_signal, condition));
  kernel->wake_one(condition);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) {
  KERNEL_OR(REAL(pthread_cond_broadcast, condition));
  kernel->wake_all(condition);
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  KERNEL_OR(REAL(pthread_rwlock_rdlock, lock));
  for (;;) {
    const int result = REAL(pthread_rwlock_tryrdlock, lock);
    if (result != EBUSY) return result;
    kernel->wait(lock);
  }
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  KERNEL_OR(REAL(pthread_rwlock_wrlock, lock));
  for (;;) {
    const int result = REAL(pthread_rwlock_trywrlock, lock);
    if (result != EBUSY) return result;
    kernel->wait(lock);
  }
}

int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  KERNEL_OR(REAL(pthread_rwlock_unlock, lock));
  const int result = REAL(pthread_rwlock_unlock, lock);
  kernel->wake_all(lock);
  return result;
}

int pthread_once(pthread_once_t* once, void (*routine)()) {
  KERNEL_OR(REAL(pthread_once, once, routine));
  constexpr int kDone = 2;  // as glibc writes it
  constexpr int kInProgress = 1;
  while (*once == kInProgress) kernel->wait(once);
  if (*once == kDone) return 0;
  *once = kInProgress;
  routine();
  *once = kDone;
  kernel->wake_all(once);
  return 0;
}

int sched_yield() noexcept {
  KERNEL_OR(REAL(sched_yield));
  kernel->yield();
  return 0;
}

int nanosleep(const timespec* time, timespec* left) {
  KERNEL_OR(REAL(nanosleep, time, left));
  return sleep_until(*kernel, kernel->now() + nanos(*time));
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  KERNEL_OR(REAL(clock_nanosleep, clock, flags, time, left));
  const bool absolute = (flags & TIMER_ABSTIME) != 0;
  return sleep_until(*kernel,
                     absolute ? when_shown(*kernel, clock, *time) : kernel->now() + nanos(*time));
}

int usleep(useconds_t time) {
  KERNEL_OR(REAL(usleep, time));
  return sleep_until(*kernel, kernel->now() + Nanos{time} * 1000);
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  KERNEL_OR(REAL(clock_gettime, clock, time));
  if (is_ours(__builtin_return_address(0))) kernel->spend(kLook);
  *time = spec(shown(*kernel, clock));
  return 0;
}

time_t time(time_t* out) noexcept {
  KERNEL_OR(REAL(time, out));
  const time_t now = shown(*kernel, CLOCK_REALTIME) / kSecond;
  if (out != nullptr) *out = now;
  return now;
}

int gettimeofday(timeval* time, void* zone) noexcept {
  KERNEL_OR(REAL(gettimeofday, time, zone));
  const Nanos now = shown(*kernel, CLOCK_REALTIME);
  *time = {.tv_sec = now / kSecond, .tv_usec = now % kSecond / 1000};
  return 0;
}

// Futexes: std::atomic::wait, the guards of local statics, absl::Mutex. Priorities have no effect.
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  Kernel* const kernel = Kernel::active();
  if (kernel == nullptr || (number != SYS_futex && number != SYS_sched_setattr)) {
    return tesela::sim::real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  if (number == SYS_sched_setattr) return 0;
  auto* const word = reinterpret_cast<std::uint32_t*>(a[0]);
  const long operation = a[1] & FUTEX_CMD_MASK;
  if (operation == FUTEX_WAKE || operation == FUTEX_WAKE_BITSET) {
    if (a[2] >= INT_MAX) {
      kernel->wake_all(word);
    } else {
      for (long i = 0; i < a[2]; ++i) kernel->wake_one(word);
    }
    return a[2];
  }
  if (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET) {
    errno = ENOSYS;
    return -1;
  }
  if (*word != static_cast<std::uint32_t>(a[2])) {
    errno = EAGAIN;
    return -1;
  }
  Nanos until = kNever;
  if (const auto* const time = reinterpret_cast<const timespec*>(a[3])) {
    const bool wall = (a[1] & FUTEX_CLOCK_REALTIME) != 0;
    until = operation == FUTEX_WAIT
                ? kernel->now() + nanos(*time)
                : when_shown(*kernel, wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, *time);
  }
  if (kernel->wait(word, until)) return 0;
  errno = ETIMEDOUT;
  return -1;
}

int setpriority(__priority_which_t which, id_t who, int priority) noexcept {
  KERNEL_OR(REAL(setpriority, which, who, priority));
  return 0;
}

// Libraries keep things for each processor. On which one a run is must not matter.
int sched_getcpu() noexcept {
  KERNEL_OR(REAL(sched_getcpu));
  return 0;
}

// The lock of a folder goes with its process, which is no process of the machine here.
int flock(int fd, int operation) noexcept {
  KERNEL_OR(REAL(flock, fd, operation));
  return 0;
}

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t* set) noexcept {
  KERNEL_OR(REAL(sched_setaffinity, process, size, set));
  return 0;
}

}  // extern "C"

// The clocks of libstdc++, which call their own clock_gettime.
namespace std::chrono {
inline namespace _V2 {

steady_clock::time_point steady_clock::now() noexcept {
  return time_point{duration{look(CLOCK_MONOTONIC, __builtin_return_address(0))}};
}

system_clock::time_point system_clock::now() noexcept {
  return time_point{duration{look(CLOCK_REALTIME, __builtin_return_address(0))}};
}

}  // namespace _V2
}  // namespace std::chrono

// Abseil measures it, by sleeping until two measurements are alike.
double absl::base_internal::NominalCPUFrequency() {
  return 1e9;
}
