// Options of the file and of the environment, and where each in force was set.
#include "server/ops/option_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/server/ops/read.h"

namespace tesela::ops {
namespace {

// A variable of the environment for the life of the object.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    ::setenv(name, value, 1);  // NOLINT(concurrency-mt-unsafe): the test has one thread
  }
  ~Variable() {
    ::unsetenv(name_);  // NOLINT(concurrency-mt-unsafe): likewise
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

class ConfigFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    // Its own for each test: they may run at once.
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path{testing::TempDir()} / (std::string{test->name()} + ".toml");
    std::ofstream{path_} << text;
    return path_.string();
  }
  ~ConfigFile() override { std::filesystem::remove(path_); }

 private:
  std::filesystem::path path_;
};

TEST_F(ConfigFile, TheFlagWinsOverTheEnvironmentAndThatOverTheFile) {
  const std::string file = write("http-port = 1001\ngrpc-port = 1002\nthreads = 5\n");
  const Variable http{"TESELA_HTTP_PORT", "2001"};
  const Variable grpc{"TESELA_GRPC_PORT", "2002"};
  const auto config = read({"--config", file.c_str(), "--http-port", "3001"});
  ASSERT_TRUE(config) << config.error().text;
  EXPECT_EQ(config->http.port, 3001);
  EXPECT_EQ(config->grpc.port, 2002);
  EXPECT_EQ(config->threads, 5U);
}

TEST_F(ConfigFile, AListOfTheFileIsTheSameAsOneWithCommas) {
  const std::string file =
      write("allowed-origins = [\"https://a.example\", \"https://b.example\"]\n");
  const auto config = read({"--config", file.c_str()});
  ASSERT_TRUE(config) << config.error().text;
  EXPECT_EQ(config->allowed_origins,
            (std::vector<std::string>{"https://a.example", "https://b.example"}));
}

TEST_F(ConfigFile, AMarkOfTheByteOrderIsNoPartOfIt) {
  const auto config = read({"--config", write("\xEF\xBB\xBFhttp-port = 1001\r\n").c_str()});
  ASSERT_TRUE(config) << config.error().text;
  EXPECT_EQ(config->http.port, 1001);
}

TEST_F(ConfigFile, AnUnknownNameInTheFileIsRefused) {
  const std::string file = write("threads = 2\nhttp-prt = 1\n");
  const auto refused = read({"--config", file.c_str()});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), (EarlyExit{2, "tesela-server: " + file +
                                               ", line 2: there is no option http-prt. The nearest "
                                               "is http-port. See --help.\n"}));
}

TEST_F(ConfigFile, ItIsShownWhereEachOptionWasSet) {
  const std::string file = write("# of a test\nhttp-port = 1001\ngrpc-port = 1002\nthreads = 5\n");
  const Variable grpc{"TESELA_GRPC_PORT", "2002"};
  const Variable database{"TESELA_DATABASE", "postgres://tesela:password@db/tesela"};
  const Variable unknown{"TESELA_LOG_FROMAT", "json"};
  const auto shown = read({"--check-config", "--config", file.c_str(), "--threads=3"});
  ASSERT_FALSE(shown);
  EXPECT_EQ(shown.error().code, 0);
  for (const std::string& line :
       {"http-port = 1001  # " + file + ", line 2\n",
        std::string{"grpc-port = 2002  # TESELA_GRPC_PORT\n"},
        std::string{"threads = 3  # the command line\n"},
        std::string{"database = a URL with a password  # TESELA_DATABASE\n"},
        std::string{"# data = data  (the default)\n"},
        std::string{"# The environment has TESELA_LOG_FROMAT, which is no option. The nearest is "
                    "TESELA_LOG_FORMAT.\n"}}) {
    EXPECT_NE(shown.error().text.find(line), std::string::npos) << line << shown.error().text;
  }
}

TEST(OptionFile, AMissingFileIsRefused) {
  const auto refused = read({"--config", "/nonexistent/tesela.toml"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, 2);
  EXPECT_NE(refused.error().text.find("/nonexistent/tesela.toml"), std::string::npos);
}

TEST(Environment, ABadValueOfTheEnvironmentIsRefusedToo) {
  const Variable level{"TESELA_LOG_LEVEL", "loud"};
  const auto refused = read({});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("loud"), std::string::npos);
}

TEST(Environment, AnEmptyVariableIsNone) {
  const Variable port{"TESELA_HTTP_PORT", ""};
  const auto config = read({});
  ASSERT_TRUE(config) << config.error().text;
  EXPECT_EQ(config->http.port, 8080);
}

}  // namespace
}  // namespace tesela::ops
