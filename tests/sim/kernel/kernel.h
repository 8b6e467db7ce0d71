// A machine room in one process: threads that run one at a time, a clock that stands still while
// anything is ready to run, and a network in memory. Programs are not changed for it: the functions
// of libc that wait, tell the time or use sockets are replaced in this executable, for the shared
// libraries as well. A run depends on its seed alone.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <queue>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace tesela::sim {

/// Nanoseconds of virtual time.
using Nanos = std::int64_t;
inline constexpr Nanos kNever = std::numeric_limits<Nanos>::max();
inline constexpr Nanos kMicrosecond = 1000;
inline constexpr Nanos kMillisecond = 1000 * kMicrosecond;
inline constexpr Nanos kSecond = 1000 * kMillisecond;

/// A machine: its threads have its address and its clock. Node 0 is the world of the test.
struct Node {
  std::uint32_t number{};
  Nanos wall_offset{};  // of the clock that people read
  bool stopped{};       // its threads do not run: SIGSTOP, or the machine sleeps
};

struct Thread {
  enum class State : std::uint8_t { kReady, kRunning, kWaiting, kEnded };

  std::uint64_t number{};
  Node* node{};
  bool dead{};  // it never runs again: its process was killed
  State state{State::kReady};
  const void* waits_on{};  // while kWaiting
  std::uint64_t waits{};   // counts the waits, so that an old deadline is known
  bool timed_out{};
  std::atomic<std::uint32_t> baton{0};
  void* (*start)(void*){};
  void* argument{};
};

/// All functions by the running thread alone.
class Kernel {
 public:
  /// The one kernel; nullptr before `begin` and after `end`: then the real functions are called.
  [[nodiscard]] static Kernel* active();
  /// The calling thread becomes the first of node 0.
  static void begin(std::uint64_t seed);
  /// Other threads never run again.
  static void end();

  [[nodiscard]] Nanos now() const { return now_; }
  void spend(Nanos time) { now_ += time; }
  /// Draws below `bound`.
  [[nodiscard]] std::uint64_t draw(std::uint64_t bound) { return random_() % bound; }
  [[nodiscard]] std::uint64_t draw() { return random_(); }
  /// The node of the running thread.
  [[nodiscard]] Node& node() { return *running_->node; }
  [[nodiscard]] Node& add_node();
  [[nodiscard]] Node* find_node(std::uint32_t number) {
    return number < nodes_.size() ? &nodes_[number] : nullptr;
  }
  /// Runs what follows as a thread of that machine.
  void move_to(Node& node) { running_->node = &node; }

  /// Waits until `wake_…(what)`, false when `until` came first.
  bool wait(const void* what, Nanos until = kNever);
  void wake_one(const void* what);
  void wake_all(const void* what);
  /// Lets others run.
  void yield();
  /// Calls `event` at `when`, between the steps of threads. It does not wait.
  void at(Nanos when, std::move_only_function<void()> event);

  [[nodiscard]] Thread& add_thread(Node& node, void* (*start)(void*), void* argument);
  /// Called by a new thread first, and last: it returns when another one has let it go.
  void enter(Thread& thread);
  void leave();
  /// Lets a thread that has left go, for good: the caller waits for its real end. What it frees
  /// then is freed while nobody else runs.
  void let_go(Thread& thread);

  /// The threads of a machine that have not ended.
  [[nodiscard]] std::size_t threads_of(const Node& node) const;
  /// The threads of the node never run again. Those that are made afterwards do.
  void kill(Node& node);
  /// Adds to the hash of the run.
  void note(std::uint64_t what) { hash_ = (hash_ ^ what) * 0x100000001b3ULL + (hash_ >> 47); }
  void note(const void* bytes, std::size_t size);
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

 private:
  struct Timer {
    Nanos when;
    std::uint64_t number;  // of equal times the older one is first
    Thread* thread;        // or else:
    std::uint64_t waits;
    std::shared_ptr<std::move_only_function<void()>> event;

    friend bool operator>(const Timer& a, const Timer& b) {
      return a.when != b.when ? a.when > b.when : a.number > b.number;
    }
  };

  explicit Kernel(std::uint64_t seed) : random_(seed) {}

  void make_ready(Thread& thread, bool timed_out);
  /// Runs the next thread until the calling one is next.
  void switch_over();
  [[nodiscard]] Thread* next();
  void turn_clock();
  [[noreturn]] void nobody_can_run();

  Nanos now_{};
  std::mt19937_64 random_;
  std::uint64_t hash_{0xcbf29ce484222325ULL};
  std::uint64_t timers_made_{};
  std::deque<Node> nodes_;
  std::deque<Thread> threads_;
  Thread* running_{};
  std::vector<Thread*> ready_;
  std::unordered_map<const void*, std::deque<Thread*>> waiting_;
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
};

}  // namespace tesela::sim
