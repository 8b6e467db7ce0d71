// Two servers' lives on one PostgreSQL: the fixture of tests about what a life may take.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"
#include "tests/server/store/postgres/lives.h"

namespace tesela::store {

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
