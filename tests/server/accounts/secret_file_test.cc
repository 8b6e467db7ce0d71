#include "server/accounts/secret_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tesela::services {
namespace {

class SecretFileTest : public testing::Test {
 protected:
  SecretFileTest() { std::filesystem::remove_all(data_); }
  ~SecretFileTest() override { std::filesystem::remove_all(data_); }

  void write(const std::string& content) {
    std::filesystem::create_directories(data_);
    std::ofstream{data_ / "token.key", std::ios::binary} << content;
    allow(0600);
  }

  void allow(mode_t mode) { ASSERT_EQ(::chmod((data_ / "token.key").c_str(), mode), 0); }

  // Its own for each test: they may run at once.
  const std::filesystem::path data_ =
      std::filesystem::path{testing::TempDir()} /
      ("tesela_" + std::string{testing::UnitTest::GetInstance()->current_test_info()->name()});
};

TEST_F(SecretFileTest, TheFirstStartMakesOneThatOnlyTheOwnerReads) {
  const auto secret = accounts::own_secret(accounts::kTokenKey, data_);
  ASSERT_TRUE(secret) << secret.error().message;
  EXPECT_EQ(secret->size(), accounts::kSecretBytes);
  struct stat status{};
  ASSERT_EQ(::stat((data_ / "token.key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(SecretFileTest, TheNextStartUsesTheSame) {
  const auto first = accounts::own_secret(accounts::kTokenKey, data_);
  EXPECT_EQ(accounts::own_secret(accounts::kTokenKey, data_), first);
}

TEST_F(SecretFileTest, TwoServersDoNotShareOne) {
  const auto first = accounts::own_secret(accounts::kTokenKey, data_);
  std::filesystem::remove(data_ / "token.key");
  EXPECT_NE(accounts::own_secret(accounts::kTokenKey, data_), first);
}

TEST_F(SecretFileTest, EachSecretIsItsOwn) {
  EXPECT_NE(accounts::own_secret(accounts::kDailyKey, data_),
            accounts::own_secret(accounts::kTokenKey, data_));
  EXPECT_TRUE(std::filesystem::exists(data_ / "daily.key"));
}

TEST_F(SecretFileTest, AShortOneIsRefused) {
  write(std::string(31, 'x'));
  const auto refused = accounts::own_secret(accounts::kTokenKey, data_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message.find("31 bytes; it needs at least 32"), std::string::npos);
}

TEST_F(SecretFileTest, TheOperatorsFileIsReadWhole) {
  write(std::string(40, 'k'));
  EXPECT_EQ(accounts::read_secret(accounts::kTokenKey, data_ / "token.key"), std::string(40, 'k'));
}

TEST_F(SecretFileTest, ATextIsALineThatFitsAHeader) {
  const auto secret = accounts::own_secret(accounts::kAdminKey, data_);
  ASSERT_TRUE(secret) << secret.error().message;
  EXPECT_EQ(secret->size(), 43U);  // 256 bits in base 64
  EXPECT_EQ(secret->find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                      "0123456789-_"),
            std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(data_ / "admin.key"), 44U);
  EXPECT_EQ(accounts::own_secret(accounts::kAdminKey, data_), secret);
}

TEST_F(SecretFileTest, WhiteSpaceBehindATextIsNotPartOfIt) {
  write(std::string(32, 'a') + " \r\n\n");
  EXPECT_EQ(accounts::read_secret(accounts::kAdminKey, data_ / "token.key"), std::string(32, 'a'));
  for (const std::string& bad :
       {std::string(31, 'a') + "\n\n", std::string(20, 'a') + " " + std::string(20, 'a'),
        std::string(40, '\xe9'), std::string()}) {
    write(bad);
    const auto refused = accounts::read_secret(accounts::kAdminKey, data_ / "token.key");
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST_F(SecretFileTest, WhatStandsInTheFolderLeadsNowhereElse) {
  const auto elsewhere = data_ / "elsewhere";
  write(std::string(40, 'k'));
  std::filesystem::rename(data_ / "token.key", elsewhere);
  std::filesystem::create_symlink(elsewhere, data_ / "token.key");
  const auto refused = accounts::own_secret(accounts::kTokenKey, data_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message.find("it is a link"), std::string::npos);
  // A file that the operator names may be one.
  EXPECT_EQ(accounts::read_secret(accounts::kTokenKey, data_ / "token.key"), std::string(40, 'k'));
}

TEST_F(SecretFileTest, OneThatOthersMayReadOrWriteIsRefused) {
  write(std::string(40, 'k'));
  for (const mode_t mode : {0644, 0604, 0602, 0660}) {
    allow(mode);
    const auto refused = accounts::read_secret(accounts::kTokenKey, data_ / "token.key");
    ASSERT_FALSE(refused) << mode;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(refused.error().message.find("chmod 600 " + (data_ / "token.key").string()),
              std::string::npos);
    EXPECT_EQ(accounts::own_secret(accounts::kTokenKey, data_).has_value(), mode == 0660);
  }
  // The group may read what root has given to it.
  allow(0640);
  EXPECT_EQ(accounts::read_secret(accounts::kTokenKey, data_ / "token.key").has_value(),
            ::geteuid() == 0);
  allow(0400);
  EXPECT_TRUE(accounts::read_secret(accounts::kTokenKey, data_ / "token.key"));
}

TEST_F(SecretFileTest, AMissingFileOfTheOperatorIsNotMade) {
  const auto refused = accounts::read_secret(accounts::kTokenKey, data_ / "token.key");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(data_ / "token.key"));
}

}  // namespace
}  // namespace tesela::services
