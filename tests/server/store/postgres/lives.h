// Lives of servers that a test begins and ends.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <string>
#include <vector>

#include "server/store/ownership.h"
#include "server/store/postgres/connection/connection.h"
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

}  // namespace tesela::store
