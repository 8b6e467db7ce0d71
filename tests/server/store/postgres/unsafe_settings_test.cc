// Settings of PostgreSQL without which data may change unnoticed are said at the start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>

#include "tests/server/store/backend.h"

namespace tesela::store {
namespace unsafe_settings_test {

using testing::HasSubstr;
using testing::Not;

TEST(UnsafeSettings, AreSaidAtTheStart) {
  // With fsync off and without sums of its pages, as initdb makes it.
  const Database database(PostgresServer::shared());
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

}  // namespace unsafe_settings_test
}  // namespace tesela::store
