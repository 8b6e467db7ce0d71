// Lives of servers that a test begins and ends.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>
#include <vector>

#include "server/store/ownership.h"
#include "server/store/postgres/connection/connection.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"
#include "tests/server/store/postgres/database.h"

namespace tesela::store {

/// One thread. Throws postgres::Failure.
class Lives {
 public:
  explicit Lives(const std::string& url);
  Lives(const Lives&) = delete;
  Lives& operator=(const Lives&) = delete;

  LifeId begin(std::string address = "somewhere");
  /// As the functions of server/store/postgres/write/lives.h.
  bool renew(LifeId life);
  std::vector<std::string> declare_deaths(LifeId by);  // in the order of addresses
  void end(LifeId life);
  /// As if this much time had passed on the database's clock, in milliseconds.
  void let_pass(int time_ms);

 private:
  /// Runs one call to its end.
  void wait(boost::asio::awaitable<void> call);

  boost::asio::io_context io_;
  postgres::Connection connection_{io_.get_executor()};
  Session clock_;
};

/// Two servers' lives on one PostgreSQL: the fixture of tests about what a life may take.
class TwoLives : public testing::Test {
 protected:
  Database database_{PostgresServer::shared()};
  std::unique_ptr<PostgresStore> store_ = open_postgres(database_.url());
  Caller caller_{*store_, *store_};
  Lives lives_{database_.url()};
  Session admin_{database_.url()};
  const LifeId ann_ = lives_.begin("ann:1");
  const LifeId ben_ = lives_.begin("ben:2");
};

}  // namespace tesela::store
