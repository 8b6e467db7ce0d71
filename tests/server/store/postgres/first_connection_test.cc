// What is found out at the start about the database: settings without which data may change
// unnoticed are said, and a pooler that mixes the statements of sessions is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <signal.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace first_connection_test {

using testing::HasSubstr;
using testing::Not;

TEST(UnsafeSettings, AreSaidAtTheStart) {
  // With fsync off and without sums of its pages, as initdb makes it.
  const Database database(PostgresServer::shared(), /*empty=*/true);
  std::ostringstream said;
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(std::make_shared<spdlog::logger>(
      "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(said)));
  EXPECT_TRUE(open_postgres(database.url()));
  spdlog::set_default_logger(before);
  EXPECT_THAT(said.str(), HasSubstr("PostgreSQL has data_checksums off"));
  EXPECT_THAT(said.str(), HasSubstr("PostgreSQL has fsync off"));
  EXPECT_THAT(said.str(), Not(HasSubstr("full_page_writes")));
}

/// A real pgbouncer before the PostgreSQL of the tests, on a socket in its folder.
class Pooler {
 public:
  explicit Pooler(const std::string& pool_mode, const std::string& more = "") {
    const std::filesystem::path file = folder_ / "pgbouncer.ini";
    std::ofstream{file} << "[databases]\n* = host=" << server_.folder().string()
                        << " user=postgres\n[pgbouncer]\nlisten_port = 6432\nauth_type = any\n"
                        << "unix_socket_dir = " << folder_.string() << "\npool_mode = " << pool_mode
                        << "\n"
                        << more;
    auto command = as_postgres();
    for (const char* each : {"pgbouncer", "--quiet"}) command.emplace_back(each);
    command.push_back(file.string());
    process_ = spawn(command);
    // Its socket is there before it listens.
    while (PQping(url("postgres").c_str()) != PQPING_OK) {
      if (::waitpid(process_, nullptr, WNOHANG) != 0) throw std::runtime_error("no pgbouncer");
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
  }
  ~Pooler() {
    ::kill(process_, SIGTERM);
    ::waitpid(process_, nullptr, 0);
    std::filesystem::remove_all(folder_);
  }
  Pooler(const Pooler&) = delete;
  Pooler& operator=(const Pooler&) = delete;

  [[nodiscard]] std::string url(const std::string& database) const {
    return "postgres://postgres@/" + database + "?port=6432&host=" + folder_.string();
  }

 private:
  PostgresServer& server_ = PostgresServer::shared();
  std::filesystem::path folder_ = folder_of_postgres();
  pid_t process_;
};

class PostgresPooler : public testing::Test {
 protected:
  Expected<std::unique_ptr<PostgresStore>> open(const Pooler& pooler, bool reads_only = false) {
    return PostgresStore::open({.url = pooler.url(database_.name()),
                                .wait = limits::kStoreWait,
                                .reads_only = reads_only});
  }
  void expect_refused(const Pooler& pooler, bool reads_only = false) {
    const auto store = open(pooler, reads_only);
    ASSERT_EQ(refusal(store), ErrorCode::kInvalidArgument);
    EXPECT_THAT(store.error().message, HasSubstr("set pool_mode = session"));
  }

  Database database_{PostgresServer::shared(), /*empty=*/true};
};

TEST_F(PostgresPooler, ThatMixesSessionsIsRefusedEachTime) {
  for (const char* mode : {"transaction", "statement"}) {
    const Pooler pooler{mode};
    for (const bool reads_only : {false, true, false}) expect_refused(pooler, reads_only);
  }
}

// Otherwise the session that was freed last is used next, and two connections share one at once.
TEST_F(PostgresPooler, ThatTakesTheSessionsInTurnIsRefused) {
  expect_refused(Pooler{"transaction", "server_round_robin = 1\nmin_pool_size = 5\n"});
}

TEST_F(PostgresPooler, ThatKeepsSessionsApartIsTaken) {
  const Pooler pooler{"session"};
  const auto store = open(pooler);
  ASSERT_TRUE(store) << store.error().message;
  Caller caller{**store, **store};
  EXPECT_TRUE(caller.open_table(TableId{1}));
  (*store)->close();
}

}  // namespace first_connection_test
}  // namespace tesela::store
