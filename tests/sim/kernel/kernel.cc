#include "tests/sim/kernel/kernel.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tests/sim/kernel/real.h"

namespace tesela::sim {
namespace {

Kernel* the_kernel = nullptr;

void really_wait(std::atomic<std::uint32_t>& baton) {
  while (baton.load(std::memory_order_acquire) == 0) {
    real_syscall(SYS_futex, &baton, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  }
  baton.store(0, std::memory_order_relaxed);
}

void really_wake(std::atomic<std::uint32_t>& baton) {
  baton.store(1, std::memory_order_release);
  real_syscall(SYS_futex, &baton, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace

Kernel* Kernel::active() {
  return the_kernel;
}

void Kernel::begin(std::uint64_t seed) {
  auto* const kernel = new Kernel(seed);
  Node& world = kernel->add_node();
  Thread& self = kernel->threads_.emplace_back();
  self.node = &world;
  self.state = Thread::State::kRunning;
  kernel->running_ = &self;
  the_kernel = kernel;
}

// The threads that are left wait for their baton for ever, and may refer to the kernel.
void Kernel::end() {
  the_kernel = nullptr;
}

Node& Kernel::add_node() {
  Node& node = nodes_.emplace_back();
  node.number = static_cast<std::uint32_t>(nodes_.size() - 1);
  return node;
}

Thread& Kernel::add_thread(Node& node, void* (*start)(void*), void* argument) {
  Thread& thread = threads_.emplace_back();
  thread.number = threads_.size() - 1;
  thread.node = &node;
  thread.start = start;
  thread.argument = argument;
  ready_.push_back(&thread);
  return thread;
}

void Kernel::enter(Thread& thread) {
  really_wait(thread.baton);
}

void Kernel::leave() {
  Thread& self = *running_;
  running_->state = Thread::State::kEnded;
  wake_all(running_);
  Thread* const following = next();
  running_ = following;
  following->state = Thread::State::kRunning;
  really_wake(following->baton);
  really_wait(self.baton);
}

void Kernel::let_go(Thread& thread) {
  really_wake(thread.baton);
}

bool Kernel::wait(const void* what, Nanos until) {
  Thread& self = *running_;
  if (until <= now_) {
    yield();
    return false;
  }
  self.state = Thread::State::kWaiting;
  self.waits_on = what;
  self.timed_out = false;
  ++self.waits;
  waiting_[what].push_back(&self);
  if (until != kNever) timers_.push({until, timers_made_++, &self, self.waits, nullptr});
  switch_over();
  return !self.timed_out;
}

void Kernel::make_ready(Thread& thread, bool timed_out) {
  thread.state = Thread::State::kReady;
  thread.timed_out = timed_out;
  ++thread.waits;
  if (!thread.dead) ready_.push_back(&thread);
}

void Kernel::wake_one(const void* what) {
  const auto found = waiting_.find(what);
  if (found == waiting_.end()) return;
  std::deque<Thread*>& waiters = found->second;
  // A thread that never runs again takes nobody's turn.
  while (waiters.size() > 1 && waiters.front()->dead) waiters.pop_front();
  Thread& thread = *waiters.front();
  waiters.pop_front();
  if (waiters.empty()) waiting_.erase(found);
  make_ready(thread, false);
}

void Kernel::wake_all(const void* what) {
  const auto found = waiting_.find(what);
  if (found == waiting_.end()) return;
  const std::deque<Thread*> woken = std::move(found->second);
  waiting_.erase(found);
  for (Thread* thread : woken) make_ready(*thread, false);
}

void Kernel::yield() {
  running_->state = Thread::State::kReady;
  ready_.push_back(running_);
  switch_over();
}

void Kernel::at(Nanos when, std::move_only_function<void()> event) {
  timers_.push({when, timers_made_++, nullptr, 0,
                std::make_shared<std::move_only_function<void()>>(std::move(event))});
}

std::size_t Kernel::threads_of(const Node& node) const {
  return static_cast<std::size_t>(std::ranges::count_if(threads_, [&](const Thread& thread) {
    return thread.node == &node && !thread.dead && thread.state != Thread::State::kEnded;
  }));
}

void Kernel::kill(Node& node) {
  for (Thread& thread : threads_) {
    if (thread.node == &node) thread.dead = true;
  }
}

void Kernel::note(const void* bytes, std::size_t size) {
  const auto* at = static_cast<const char*>(bytes);
  for (std::uint64_t word = 0; size > 0;) {
    const std::size_t part = std::min(size, sizeof word);
    std::memcpy(&word, at, part);
    note(word);
    at += part;
    size -= part;
  }
}

Thread* Kernel::next() {
  for (;;) {
    std::size_t count = 0;
    for (Thread* thread : ready_) {
      if (thread->dead) continue;
      ready_[count++] = thread;
    }
    ready_.resize(count);
    std::size_t able = 0;
    for (Thread* thread : ready_) able += thread->node->stopped ? 0 : 1;
    if (able > 0) {
      std::size_t chosen = able == 1 ? 0 : draw(able);
      for (std::size_t i = 0; i < ready_.size(); ++i) {
        if (ready_[i]->node->stopped || chosen-- > 0) continue;
        Thread* const thread = ready_[i];
        ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(i));
        return thread;
      }
    }
    turn_clock();
  }
}

void Kernel::turn_clock() {
  if (timers_.empty()) nobody_can_run();
  const Timer timer = timers_.top();
  timers_.pop();
  if (timer.when > now_) now_ = timer.when;
  if (timer.event) return (*timer.event)();
  Thread& thread = *timer.thread;
  if (thread.state != Thread::State::kWaiting || thread.waits != timer.waits) return;
  auto& waiters = waiting_[thread.waits_on];
  std::erase(waiters, &thread);
  if (waiters.empty()) waiting_.erase(thread.waits_on);
  make_ready(thread, true);
}

void Kernel::switch_over() {
  Thread& self = *running_;
  Thread* const following = next();
  following->state = Thread::State::kRunning;
  if (following == &self) return;
  note(following->number);
  running_ = following;
  really_wake(following->baton);
  really_wait(self.baton);
}

void Kernel::nobody_can_run() {
  std::fprintf(stderr, "sim: nobody can ever run again, at %.3f s\n",
               static_cast<double>(now_) / 1e9);
  std::abort();
}

}  // namespace tesela::sim
