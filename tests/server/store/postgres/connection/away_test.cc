// PostgreSQL goes away and comes back.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/postgres_limits.h"
#include "server/store/postgres/connection/hosts.h"
#include "server/store/postgres/heartbeat.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"
#include "tests/server/store/postgres/tap.h"

namespace tesela::store {
namespace away_test {

constexpr TableId kTable{42};

class PostgresAway : public testing::Test {
 protected:
  /// Waits until the store has found out.
  void wait_until_writable(bool writable) {
    while (store_->writable().has_value() != writable)
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  void open(std::chrono::milliseconds wait) {
    store_ = open_postgres(server_.url("postgres"), wait);
    caller_.emplace(*store_, *store_);
  }
  void open_with_table() {
    open(std::chrono::minutes{5});
    ASSERT_TRUE(caller_->open_table(kTable));
  }

  PostgresServer server_;  // its own: it goes away
  std::unique_ptr<PostgresStore> store_;
  std::optional<Caller> caller_;
};

TEST_F(PostgresAway, AMoveThatWasNotSentIsRefusedAfterTheTime) {
  open_with_table();
  open(std::chrono::milliseconds{300});
  server_.crash();
  wait_until_writable(false);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(caller_->append(kTable, Version{2})), ErrorCode::kUnavailable);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds{300});
  EXPECT_EQ(refusal(caller_->look_at(kTable)), ErrorCode::kUnavailable);
  EXPECT_EQ(refusal(caller_->sign_in(PlayerId{7}, "Ada")), ErrorCode::kUnavailable);
  server_.start();
  wait_until_writable(true);
  open(std::chrono::minutes{5});
  EXPECT_TRUE(caller_->append(kTable, Version{2})) << "nothing of the first attempt is stored";
  EXPECT_EQ(caller_->read(kTable), events_of(kTable, Version{1}, Version{2}));
}

TEST_F(PostgresAway, MovesWaitUntilItIsThereAgain) {
  open_with_table();
  server_.crash();
  std::thread player([&] { EXPECT_TRUE(caller_->append(kTable, Version{2})); });
  server_.start();
  player.join();
  EXPECT_EQ(caller_->read(kTable), events_of(kTable, Version{1}, Version{2}));
}

/// Waits until all connections of a server are open, with the one of its heartbeat and the one for
/// signals of changes.
void wait_for_connections(const std::string& url) {
  const std::size_t all = limits::kPostgresAppenders + limits::kPostgresWriters +
                          limits::kPostgresReaders + limits::kPostgresListReaders +
                          limits::kPostgresBackgroundWriters + 2;
  const std::string open =
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tesela'";
  Session session(url);
  while (session.run(open).front() != std::to_string(all))
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
}

// Once a lease is over, the pauses between two attempts to connect have reached their longest. The
// outages end at different times of such a pause.
TEST_F(PostgresAway, AllIsWellSoonAfterItsReturn) {
  open_with_table();
  const std::string url = server_.url("postgres");
  const auto life =
      postgres::Heartbeat::start({.url = url, .address = "ann:1"}, std::chrono::seconds{15});
  ASSERT_TRUE(life);
  Version version{1};
  for (int third = 0; third < 3; ++third) {
    wait_for_connections(url);
    server_.crash();
    version = next(version);
    std::thread player([&] { EXPECT_TRUE(caller_->append(kTable, version)); });
    while ((*life)->may_speak()) std::this_thread::sleep_for(std::chrono::milliseconds{10});
    std::this_thread::sleep_for(third * limits::kPostgresReopenMax / 3);
    server_.start();
    const auto back = std::chrono::steady_clock::now();
    player.join();
    while (!(*life)->may_speak()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    wait_for_connections(url);
    EXPECT_TRUE(store_->writable());
    EXPECT_TRUE(caller_->look_at(kTable));
    EXPECT_EQ(caller_->list(), std::vector{kTable});
    version = next(version);
    EXPECT_TRUE(caller_->append(kTable, version));
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - back);
    std::cout << "all is well " << time.count() << " ms after PostgreSQL's return\n";
  }
  EXPECT_EQ(caller_->read(kTable), events_of(kTable, Version{1}, version));
}

TEST_F(PostgresAway, AStoreThatIsClosedDoesNotWaitForIt) {
  open_with_table();
  server_.crash();
  wait_until_writable(false);
  std::thread player(
      [&] { EXPECT_EQ(refusal(caller_->append(kTable, Version{2})), ErrorCode::kUnavailable); });
  store_->close();
  player.join();
  EXPECT_EQ(refusal(caller_->append(kTable, Version{2})), ErrorCode::kUnavailable);
}

/// A host that takes connections and says nothing, as a machine that hangs.
class SilentHost {
 public:
  SilentHost() : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    (path() / ".s.PGSQL.5432").string().copy(address.sun_path, sizeof address.sun_path - 1);
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(socket_, 100) != 0) {
      throw std::runtime_error("no socket");
    }
  }
  ~SilentHost() { ::close(socket_); }
  SilentHost(const SilentHost&) = delete;
  SilentHost& operator=(const SilentHost&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
  int socket_;
};

/// The URL of a database, with a host before its own.
std::string after_host(const SilentHost& host, std::string url) {
  const std::string hosts = "?host=";
  return url.insert(url.find(hosts) + hosts.size(), host.path().string() + ",");
}

TEST(PostgresHosts, OneThatIsSilentIsPassedOver) {
  const SilentHost silent;
  const PostgresServer server;
  const std::string url = after_host(silent, server.url("postgres"));
  const auto store = open_postgres(url, std::chrono::seconds{4});
  Caller caller(*store, *store);
  EXPECT_TRUE(caller.open_table(kTable));
  const auto life =
      postgres::Heartbeat::start({.url = url, .address = "ann:1"}, std::chrono::seconds{10});
  ASSERT_TRUE(life);
  EXPECT_TRUE((*life)->may_speak());
}

// The first host is the way to the database that hangs, and the second one another way.
TEST(PostgresHosts, OneThatFallsSilentIsLeftByAllConnectionsAtOnce) {
  const PostgresServer server;
  Tap tap(server.folder());
  const std::string url =
      "postgres://postgres@/postgres?connect_timeout=2&host=" + tap.folder().string() + "," +
      server.folder().string();
  const auto store = open_postgres(url, std::chrono::seconds{4});
  Caller caller(*store, *store);
  ASSERT_TRUE(caller.open_table(kTable));
  ASSERT_TRUE(caller.append(kTable, Version{2})) << "on a connection that is there";
  tap.fall_silent();
  EXPECT_EQ(refusal(caller.append(kTable, Version{3})), ErrorCode::kInternal);
  // These are on other connections, none of which has found out by itself.
  EXPECT_TRUE(caller.sign_in(PlayerId{7}, "Ada"));
  EXPECT_TRUE(caller.look_at(kTable));
  EXPECT_EQ(caller.list(), std::vector{kTable});
  EXPECT_TRUE(caller.append(kTable, Version{3}));
  EXPECT_EQ(caller.read(kTable), events_of(kTable, Version{1}, Version{3}));
  store->close();
}

TEST(PostgresHosts, WhereAllAreSilentAServerDoesNotStart) {
  const SilentHost one;
  const SilentHost other;
  const auto store =
      PostgresStore::open({.url = after_host(one, "postgres:///x?host=" + other.path().string()),
                           .wait = std::chrono::milliseconds{600}});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kUnavailable);
}

TEST(PostgresHosts, EachHasWhatTheUrlSaysOfIt) {
  const auto hosts = postgres::hosts_of(
      "postgres://me:secret@one:1,two:2/tesela?connect_timeout=1&target_session_attrs=read-write");
  ASSERT_EQ(hosts.size(), 2);
  const auto option = [](const postgres::Host& host, const std::string& keyword) {
    const auto found =
        std::ranges::find(host.options, keyword, &std::pair<std::string, std::string>::first);
    return found == host.options.end() ? "" : found->second;
  };
  EXPECT_EQ(option(hosts[0], "host") + option(hosts[0], "port"), "one1");
  EXPECT_EQ(option(hosts[1], "host") + option(hosts[1], "port"), "two2");
  for (const auto& host : hosts) {
    EXPECT_EQ(option(host, "user") + option(host, "password") + option(host, "dbname"),
              "mesecrettesela");
    EXPECT_EQ(option(host, "target_session_attrs"), "read-write");
    EXPECT_EQ(host.time_max, std::chrono::seconds{2});
  }
  EXPECT_EQ(postgres::hosts_of("postgres://one,two,three/x?port=1,2").size(), 1);
  EXPECT_EQ(postgres::hosts_of("postgres://[half/x").size(), 1);
}

TEST(PostgresAwayAtTheStart, AServerDoesNotStartWithoutItsDatabase) {
  const auto store = PostgresStore::open(
      {.url = "postgres://me:secret@/tesela?host=/nonexistent", .wait = std::chrono::seconds{1}});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(store.error().message.find("secret"), std::string::npos) << store.error().message;
}

}  // namespace away_test
}  // namespace tesela::store
