#include "server/lobby/token_secret.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tesela::lobby {
namespace {

class TokenSecretTest : public testing::Test {
 protected:
  TokenSecretTest() { std::filesystem::remove_all(data_); }
  ~TokenSecretTest() override { std::filesystem::remove_all(data_); }

  void write(const std::string& content) {
    std::filesystem::create_directories(data_);
    std::ofstream{data_ / "token.key", std::ios::binary} << content;
  }

  // Its own for each test: they may run at once.
  const std::filesystem::path data_ =
      std::filesystem::path{testing::TempDir()} /
      ("tesela_" + std::string{testing::UnitTest::GetInstance()->current_test_info()->name()});
};

TEST_F(TokenSecretTest, TheFirstStartMakesOneThatOnlyTheOwnerReads) {
  const auto secret = own_token_secret(data_);
  ASSERT_TRUE(secret) << secret.error().message;
  EXPECT_EQ(secret->size(), kTokenSecretBytes);
  struct stat status{};
  ASSERT_EQ(::stat((data_ / "token.key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(TokenSecretTest, TheNextStartUsesTheSame) {
  const auto first = own_token_secret(data_);
  EXPECT_EQ(own_token_secret(data_), first);
}

TEST_F(TokenSecretTest, TwoServersDoNotShareOne) {
  const auto first = own_token_secret(data_);
  std::filesystem::remove(data_ / "token.key");
  EXPECT_NE(own_token_secret(data_), first);
}

TEST_F(TokenSecretTest, AShortOneIsRefused) {
  write(std::string(31, 'x'));
  const auto refused = own_token_secret(data_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message.find("31 bytes; it needs at least 32"), std::string::npos);
}

TEST_F(TokenSecretTest, TheOperatorsFileIsReadWhole) {
  write(std::string(40, 'k'));
  EXPECT_EQ(read_token_secret(data_ / "token.key"), std::string(40, 'k'));
}

TEST_F(TokenSecretTest, AMissingFileOfTheOperatorIsNotMade) {
  const auto refused = read_token_secret(data_ / "token.key");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(data_ / "token.key"));
}

}  // namespace
}  // namespace tesela::lobby
