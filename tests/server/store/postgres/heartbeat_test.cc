// A life that renews its lease, and what it is told (server/store/postgres/heartbeat.h).
#include "server/store/postgres/heartbeat.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/ownership_limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/postgres/lives.h"
#include "tests/server/store/postgres/pauses.h"

namespace tesela::store {
namespace heartbeat_test {

using base::BootClock;
using postgres::Heartbeat;
using States = std::vector<LifeState>;

/// What a heartbeat has told.
class Told {
 public:
  void add(LifeState state, LifeId life) {
    {
      const std::scoped_lock lock(mutex_);
      states_.push_back(state);
      life_ = life;
    }
    changed_.notify_all();
  }
  /// Waits until this is the state.
  void wait_for(LifeState state) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !states_.empty() && states_.back() == state; });
  }
  /// All states, in order.
  States states() {
    const std::scoped_lock lock(mutex_);
    return states_;
  }
  LifeId life() {
    const std::scoped_lock lock(mutex_);
    return life_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  States states_;
  LifeId life_;
};

std::unique_ptr<Heartbeat> start(const std::string& url, Told& told, std::string address = "x") {
  auto started = Heartbeat::start(
      {.url = url,
       .address = std::move(address),
       .on_state = [&told](LifeState state, LifeId life) { told.add(state, life); }},
      std::chrono::seconds{15});
  if (!started) throw std::runtime_error(started.error().message);
  return std::move(*started);
}

class HeartbeatTest : public testing::Test {
 protected:
  std::string row_of(LifeId life, const std::string& column) {
    return admin_.run("SELECT " + column + " FROM lives WHERE id = " + std::to_string(life.value))
        .at(0);
  }

  Database database_{PostgresServer::shared()};
  std::unique_ptr<PostgresStore> store_ = open_postgres(database_.url());
  Session admin_{database_.url()};
  Told told_;
};

TEST_F(HeartbeatTest, ItSpeaksFromTheStartAndRenewsItsLease) {
  const Pauses pauses(database_.url());
  const auto life = start(database_.url(), told_, "ann:1");
  EXPECT_TRUE(life->may_speak());
  EXPECT_EQ(told_.states(), States{LifeState::kSpeaking});
  EXPECT_EQ(told_.life(), life->id());
  EXPECT_EQ(row_of(life->id(), "address"), "ann:1");
  const std::string first = row_of(life->id(), "lease_until");
  const std::string since = row_of(life->id(), "unbroken_since");
  while (row_of(life->id(), "lease_until < '" + first + "'::timestamptz + interval '4 seconds'") ==
         "t") {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  const bool unbroken = row_of(life->id(), "unbroken_since") == since;
  if (!pauses.none()) GTEST_SKIP() << "the machine stood still";
  EXPECT_TRUE(unbroken);
  EXPECT_TRUE(life->may_speak());
  EXPECT_EQ(told_.states(), States{LifeState::kSpeaking});
  EXPECT_EQ(life->gaps(), 1) << "before its first lease";
}

TEST_F(HeartbeatTest, TheAgeOfTheLeaseGrowsUntilItIsRenewed) {
  const auto life = start(database_.url(), told_);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  bool has_grown = false;
  auto before = life->lease_age();
  for (auto age = before; age >= before; age = life->lease_age()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << "it is never renewed";
    has_grown = has_grown || age > before;
    before = age;
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  EXPECT_TRUE(has_grown);
  EXPECT_LT(life->lease_age(), std::chrono::seconds{30});
}

TEST_F(HeartbeatTest, AfterAnOrderlyEndItsTablesAreOthersAtOnce) {
  auto life = start(database_.url(), told_);
  const LifeId id = life->id();
  life->close();
  EXPECT_FALSE(life->may_speak());
  EXPECT_EQ(row_of(id, "state"), "dead");
  EXPECT_EQ(told_.states(), States{LifeState::kSpeaking});
}

TEST_F(HeartbeatTest, WhoIsDeclaredDeadIsToldAndBeginsAnotherLifeWhenItIsReady) {
  const auto life = start(database_.url(), told_);
  const LifeId first = life->id();
  Lives(database_.url()).end(first);
  told_.wait_for(LifeState::kDead);
  EXPECT_EQ(told_.life(), first);
  EXPECT_TRUE(life->dead());
  EXPECT_FALSE(life->may_speak());
  EXPECT_EQ(admin_.run("SELECT count(*) FROM lives").at(0), "1");
  life->begin_again();
  told_.wait_for(LifeState::kSpeaking);
  EXPECT_TRUE(life->may_speak());
  EXPECT_NE(life->id(), first);
  EXPECT_FALSE(life->dead());
  EXPECT_EQ(told_.life(), life->id());
  EXPECT_EQ(row_of(first, "state"), "dead");
  EXPECT_EQ(row_of(life->id(), "state"), "alive");
}

TEST_F(HeartbeatTest, TheNextServerInAFolderEndsTheLifeOfTheOneBefore) {
  const ScratchFolder folder;
  const auto begin = [&](std::string address) {
    auto started = Heartbeat::start({.url = database_.url(),
                                     .address = std::move(address),
                                     .life_file = folder.path() / "life"},
                                    std::chrono::seconds{15});
    return std::move(started.value());
  };
  const auto first = begin("ann:1");  // as if its process had been killed: it is not closed
  const auto second = begin("ann:1");
  EXPECT_EQ(row_of(first->id(), "state"), "dead");
  EXPECT_EQ(row_of(second->id(), "state"), "alive");
  const auto third = begin("ben:2");  // in a copy of the folder
  EXPECT_EQ(row_of(second->id(), "state"), "alive");
  EXPECT_EQ(row_of(third->id(), "state"), "alive");
}

TEST_F(HeartbeatTest, WithoutAPlaceForTheLifeNoneBegins) {
  const auto started = Heartbeat::start(
      {.url = database_.url(), .address = "ann:1", .life_file = "/nonexistent/folder/life"},
      std::chrono::milliseconds{100});
  ASSERT_EQ(refusal(started), ErrorCode::kUnavailable);
  EXPECT_NE(started.error().message.find("cannot be written"), std::string::npos);
  EXPECT_EQ(admin_.run("SELECT count(*) FROM lives").at(0), "0");
}

// The connection is there, but no answer comes.
TEST_F(HeartbeatTest, WhileTheDatabaseDoesNotAnswerItIsFrozen) {
  const auto life = start(database_.url(), told_);
  const LifeId id = life->id();
  const Pauses pauses(database_.url());
  admin_.run("BEGIN");
  admin_.run("SELECT 1 FROM lives FOR UPDATE");
  told_.wait_for(LifeState::kFrozen);
  EXPECT_FALSE(life->may_speak());
  EXPECT_FALSE(life->dead());
  const std::uint64_t gaps = life->gaps();
  admin_.run("COMMIT");
  told_.wait_for(LifeState::kSpeaking);
  EXPECT_TRUE(life->may_speak());
  EXPECT_EQ(life->id(), id);
  if (!pauses.none()) GTEST_SKIP() << "the machine stood still";
  EXPECT_EQ(gaps, 1) << "it was not over yet";
  EXPECT_EQ(life->gaps(), 2);
}

TEST_F(HeartbeatTest, AConnectionThatIsCutIsOpenedAgainBeforeTheLeaseIsOver) {
  const auto life = start(database_.url(), told_);
  const std::string before = row_of(life->id(), "lease_until");
  admin_.run(
      "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
      " WHERE datname = current_database() AND pid <> pg_backend_pid()");
  const Pauses pauses(database_.url());
  while (row_of(life->id(), "lease_until") == before)
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  if (pauses.none()) {
    EXPECT_EQ(told_.states(), States{LifeState::kSpeaking});
  }
}

TEST(HeartbeatAway, WhenTheDatabaseComesBackTheLifeGoesOn) {
  PostgresServer server;
  const std::string url = server.url("postgres");
  const auto store = open_postgres(url);
  Told of_ann;
  Told of_ben;
  const auto ann = start(url, of_ann);
  const auto ben = start(url, of_ben);
  const LifeId id = ann->id();
  server.crash();
  of_ann.wait_for(LifeState::kFrozen);
  of_ben.wait_for(LifeState::kFrozen);
  EXPECT_FALSE(ann->may_speak());
  server.start();
  of_ann.wait_for(LifeState::kSpeaking);
  of_ben.wait_for(LifeState::kSpeaking);
  EXPECT_EQ(ann->id(), id);
  EXPECT_EQ(of_ann.states(),
            (States{LifeState::kSpeaking, LifeState::kFrozen, LifeState::kSpeaking}));
}

TEST(HeartbeatAway, WithoutADatabaseNoLifeBegins) {
  const auto started =
      Heartbeat::start({.url = "postgres://me@/tesela?host=/nonexistent", .address = {}},
                       std::chrono::milliseconds{300});
  EXPECT_EQ(refusal(started), ErrorCode::kUnavailable);
}

/// Shared with a process that lives.
struct Shared {
  std::atomic<std::int64_t> spoke_ns;  // when it last found that it may speak, of BootClock
  std::atomic<std::uint64_t> life;
  std::atomic<int> states;  // how many it was told
  std::atomic<LifeState> told[16];
};

/// Another process with a life.
class OtherProcess {
 public:
  explicit OtherProcess(const std::string& url)
      : shared_(new(::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Shared{}),
        process_(::fork()) {
    if (process_ == 0) live(url);
    while (shared_->spoke_ns == 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  ~OtherProcess() {
    send(SIGKILL);
    ::waitpid(process_, nullptr, 0);
    ::munmap(shared_, sizeof(Shared));
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;

  void send(int signal) const { ::kill(process_, signal); }
  [[nodiscard]] LifeId life() const { return LifeId{shared_->life}; }
  [[nodiscard]] std::int64_t spoke_ns() const { return shared_->spoke_ns; }
  [[nodiscard]] States told() const { return {shared_->told, shared_->told + shared_->states}; }

 private:
  [[noreturn]] void live(const std::string& url) {
    const auto started = Heartbeat::start({.url = url,
                                           .address = "other",
                                           .on_state =
                                               [this](LifeState state, LifeId life) {
                                                 shared_->told[shared_->states] = state;
                                                 ++shared_->states;
                                                 shared_->life = life.value;
                                               }},
                                          std::chrono::seconds{15});
    if (!started) ::_exit(1);
    for (;;) {
      // Read first: a process that is stopped in between has spoken before.
      const std::int64_t now_ns = BootClock::now().time_since_epoch().count();
      if ((*started)->may_speak()) shared_->spoke_ns = now_ns;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
  }

  Shared* const shared_;
  const pid_t process_;
};

class HeartbeatOfProcesses : public HeartbeatTest {
 protected:
  void wait_until_dead(LifeId life) {
    while (row_of(life, "state") != "dead")
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
};

TEST_F(HeartbeatOfProcesses, AProcessThatWasStoppedGoesOnIfNobodyHasMissedIt) {
  const OtherProcess other(database_.url());
  const LifeId life = other.life();
  other.send(SIGSTOP);
  std::this_thread::sleep_for(2 * limits::kLeaseTime);
  const auto stopped_until = BootClock::now().time_since_epoch().count();
  other.send(SIGCONT);
  while (other.told().size() < 3) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  EXPECT_EQ(other.told(), (States{LifeState::kSpeaking, LifeState::kFrozen, LifeState::kSpeaking}));
  EXPECT_EQ(other.life(), life);
  while (other.spoke_ns() < stopped_until)
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
}

TEST_F(HeartbeatOfProcesses, AProcessThatWasStoppedForTooLongNeverSpeaksAgain) {
  const OtherProcess other(database_.url());
  const auto ann = start(database_.url(), told_);
  const Pauses pauses(database_.url());
  other.send(SIGSTOP);
  wait_until_dead(other.life());
  const auto died_ns = BootClock::now().time_since_epoch().count();
  other.send(SIGCONT);
  while (other.told().size() < 3) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  EXPECT_EQ(other.told(), (States{LifeState::kSpeaking, LifeState::kFrozen, LifeState::kDead}));
  EXPECT_LT(other.spoke_ns(), died_ns);
  if (pauses.none()) {
    EXPECT_TRUE(ann->may_speak());
  }
}

TEST_F(HeartbeatOfProcesses, AProcessThatWasKilledIsDeclaredDeadByAnother) {
  const OtherProcess other(database_.url());
  const auto ann = start(database_.url(), told_);
  const Pauses pauses(database_.url());
  // A life that is new declares nobody dead yet.
  const std::string old = "unbroken_since < clock_timestamp() - interval '" +
                          std::to_string(limits::kLeaseTime.count()) + " ms'";
  while (row_of(ann->id(), old) != "t") std::this_thread::sleep_for(std::chrono::milliseconds{1});
  const auto killed = BootClock::now();
  other.send(SIGKILL);
  wait_until_dead(other.life());
  const auto time =
      std::chrono::duration_cast<std::chrono::milliseconds>(BootClock::now() - killed);
  std::cout << "declared dead " << time.count() << " ms after kill -9\n";
  if (pauses.none()) {
    EXPECT_EQ(told_.states(), States{LifeState::kSpeaking});
  }
}

}  // namespace heartbeat_test
}  // namespace tesela::store
