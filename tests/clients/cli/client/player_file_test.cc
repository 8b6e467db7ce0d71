#include "clients/cli/client/player_file.h"

#include <google/protobuf/util/time_util.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace tesela::cli {
namespace {

namespace fs = std::filesystem;
using google::protobuf::util::TimeUtil;

class PlayerFileTest : public testing::Test {
 protected:
  PlayerFileTest() {
    std::string name = (fs::temp_directory_path() / "tesela-player-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
  }
  ~PlayerFileTest() override { fs::remove_all(root_); }

  static lobby::v1::SignInResponse player(const std::string& token, std::int64_t lives_s) {
    lobby::v1::SignInResponse player;
    player.set_token(token);
    player.set_display_name("Ana");
    *player.mutable_expires_at() =
        TimeUtil::GetCurrentTime() + TimeUtil::SecondsToDuration(lives_s);
    return player;
  }

  fs::path root_;
  ServerAddress server_{"localhost", 8080};
};

TEST_F(PlayerFileTest, WhoWasSavedIsThereInTheNextProcess) {
  ASSERT_TRUE(PlayerFile(root_ / "tesela", server_).save(player("secret", 3600)));
  const auto loaded = PlayerFile(root_ / "tesela", server_).load();
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->token(), "secret");
  EXPECT_EQ(loaded->display_name(), "Ana");
}

TEST_F(PlayerFileTest, OnlyTheUserCanReadTheToken) {
  ASSERT_TRUE(PlayerFile(root_ / "tesela", server_).save(player("secret", 3600)));
  int files = 0;
  for (const auto& entry : fs::directory_iterator(root_ / "tesela")) {
    ++files;
    EXPECT_EQ(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write);
  }
  EXPECT_EQ(files, 1);
  EXPECT_EQ(fs::status(root_ / "tesela").permissions(), fs::perms::owner_all);
}

TEST_F(PlayerFileTest, EachServerHasItsOwnPlayer) {
  ASSERT_TRUE(PlayerFile(root_, server_).save(player("one", 3600)));
  ASSERT_TRUE(PlayerFile(root_, {"localhost", 8081}).save(player("two", 3600)));
  EXPECT_EQ(PlayerFile(root_, server_).load()->token(), "one");
}

TEST_F(PlayerFileTest, AnExpiredPlayerIsNoPlayer) {
  ASSERT_TRUE(PlayerFile(root_, server_).save(player("old", -1)));
  EXPECT_FALSE(PlayerFile(root_, server_).load());
}

TEST_F(PlayerFileTest, NothingAndNonsenseAreNoPlayer) {
  const PlayerFile file(root_, server_);
  EXPECT_FALSE(file.load());
  ASSERT_TRUE(file.save(player("secret", 3600)));
  for (const auto& entry : fs::directory_iterator(root_)) std::ofstream(entry.path()) << "{";
  EXPECT_FALSE(file.load());
}

TEST_F(PlayerFileTest, TheDeviceSecretStays) {
  const auto secret = PlayerFile(root_ / "tesela", server_).device_secret();
  ASSERT_TRUE(secret);
  EXPECT_EQ(secret->size(), 32);
  EXPECT_EQ(PlayerFile(root_ / "tesela", server_).device_secret(), secret);
  EXPECT_NE(PlayerFile(root_ / "tesela", {"localhost", 8081}).device_secret(), secret);
  for (const auto& entry : fs::directory_iterator(root_ / "tesela")) {
    EXPECT_EQ(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write);
  }
}

TEST_F(PlayerFileTest, SaysWhyItCannotBeWritten) {
  std::ofstream(root_ / "tesela") << "a file where the directory should be";
  const auto saved = PlayerFile(root_ / "tesela", server_).save(player("secret", 3600));
  ASSERT_FALSE(saved);
  EXPECT_NE(saved.error().message.find("Not a directory"), std::string::npos);
}

}  // namespace
}  // namespace tesela::cli
