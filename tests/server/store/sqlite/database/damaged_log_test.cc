// A write-ahead log of which bits have changed is told from one whose end was torn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

#include "server/store/sqlite/files/log_frames.h"
#include "server/store/sqlite/files/log_walk.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace damaged_log_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::uint64_t kFrame = 24 + 4096;
constexpr std::uint64_t kEvents = 20;

class DamagedLog : public testing::Test {
 protected:
  DamagedLog() {
    const auto store = open_sqlite(folder_.path());
    Caller caller(*store, *store);
    EXPECT_TRUE(caller.open_table(TableId{1}));
    for (Version version{2}; version.value <= kEvents; version = next(version)) {
      EXPECT_TRUE(caller.append(TableId{1}, version));
    }
    fs::copy(folder_.path(), killed());
    const auto walked = walk_log(log());
    EXPECT_FALSE(walked->damaged || walked->has_rest);
    used_ = walked->used_bytes;
    EXPECT_GT(used_, kEvents * kFrame);
  }

  /// What a server leaves that is killed.
  [[nodiscard]] fs::path killed() const { return copies_.path() / "killed"; }
  [[nodiscard]] fs::path log() const { return killed() / "tesela.db-wal"; }
  [[nodiscard]] std::uint64_t used() const { return used_; }
  /// Where a frame begins, counted from 0; of the end, from -1.
  [[nodiscard]] std::uint64_t frame(int number) const {
    return number < 0 ? used_ - static_cast<std::uint64_t>(-number) * kFrame
                      : 32 + static_cast<std::uint64_t>(number) * kFrame;
  }
  void change(std::uint64_t at, std::uint64_t bytes, const std::function<char(char)>& to) const {
    std::fstream file(log(), std::ios::in | std::ios::out | std::ios::binary);
    std::string content(bytes, '\0');
    file.seekg(static_cast<std::streamoff>(at));
    file.read(content.data(), static_cast<std::streamsize>(bytes));
    for (char& byte : content) byte = to(byte);
    file.seekp(static_cast<std::streamoff>(at));
    file.write(content.data(), static_cast<std::streamsize>(bytes));
  }
  void flip(std::uint64_t at, int bit) const {
    change(at, 1, [&](char byte) { return static_cast<char>(byte ^ (1 << bit)); });
  }
  /// Opens what was killed. Whether it has the last of the events that were acknowledged.
  [[nodiscard]] bool has_all() const { return events() == kEvents; }
  [[nodiscard]] std::size_t events(OnDamagedLog on_damage = OnDamagedLog::kRefuse) const {
    const auto store = SqliteStore::open({.folder = killed(), .on_damaged_log = on_damage});
    EXPECT_TRUE(store) << store.error().message;
    if (!store) return 0;
    Caller caller(**store, **store);
    const auto read = caller.read(TableId{1});
    return read ? read->size() : 0;
  }
  void expect_refused(const std::string& why) const {
    const auto store = SqliteStore::open({.folder = killed()});
    ASSERT_EQ(refusal(store), ErrorCode::kCorrupt);
    EXPECT_THAT(store.error().message, HasSubstr(why));
  }

  ScratchFolder folder_;
  ScratchFolder copies_;
  std::uint64_t used_ = 0;
};

TEST_F(DamagedLog, ABitOfAFrameInTheMiddleIsSaid) {
  flip(frame(-8) + 1000, 3);
  expect_refused("its frame ");
  expect_refused("commits (8 frames) from there on cannot be read");
}

TEST_F(DamagedLog, AnyBitOfTheLastFrameIsSaid) {
  for (std::uint64_t at = 0; at < kFrame; at += at < 24 ? 1 : 97) {
    for (int bit = 0; bit < 8; ++bit) {
      flip(frame(-1) + at, bit);
      const auto walked = walk_log(log());
      EXPECT_TRUE(walked->damaged) << "byte " << at << ", bit " << bit;
      EXPECT_EQ(walked->lost_commits, 1);
      flip(frame(-1) + at, bit);
    }
  }
}

TEST_F(DamagedLog, AnyBitOfTheHeaderIsSaid) {
  for (std::uint64_t at = 0; at < 32; ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      flip(at, bit);
      EXPECT_TRUE(walk_log(log())->damaged) << "byte " << at << ", bit " << bit;
      flip(at, bit);
    }
  }
  EXPECT_FALSE(walk_log(log())->damaged);
  flip(20, 0);
  expect_refused("its header is broken");
}

TEST_F(DamagedLog, ManyBytesInTheMiddleAreSaid) {
  const auto to_zero = [](char) { return '\0'; };
  change(frame(-6) + 24, 512, [](char byte) { return static_cast<char>(byte ^ 0x55); });
  expect_refused("cannot be read");
  change(frame(-6), kFrame, to_zero);
  expect_refused("cannot be read");
  change(0, 32, to_zero);
  expect_refused("its header is broken");
}

TEST_F(DamagedLog, AnEndThatWasTornIsNotSaid) {
  const auto to_zero = [](char) { return '\0'; };
  change(frame(-1) + 24, 4096, to_zero);
  EXPECT_EQ(events(), kEvents - 1);
}

TEST_F(DamagedLog, ALogThatEndsInAFrameIsNotSaid) {
  fs::resize_file(log(), frame(-1) + 700);
  EXPECT_EQ(events(), kEvents - 1);
}

TEST_F(DamagedLog, AFrameOfAnEarlierLogIsNotSaid) {
  change(frame(-1), 512, [](char byte) { return static_cast<char>(byte + 77); });
  EXPECT_EQ(events(), kEvents - 1);
}

TEST_F(DamagedLog, WhatIsBehindATornEndIsCutOff) {
  // A commit of two frames whose first one did not reach the disk.
  change(frame(-1) + 4, 4, [](char) { return '\0'; });
  EXPECT_FALSE(walk_log(log())->damaged);
  EXPECT_TRUE(walk_log(log())->has_rest);
  EXPECT_EQ(events(), kEvents - 1);
}

TEST_F(DamagedLog, WhatMayBeAllThatIsLeftIsNotCutOff) {
  // The first sector of an earlier log: its write was lost.
  std::string header(32, '\0');
  std::ifstream(log(), std::ios::binary).read(header.data(), 32);
  const WordOrder order = LogHeader::read(header).value().order;
  for (std::size_t at = 16; at < 24; ++at) header[at] = static_cast<char>(header[at] ^ 0x5a);
  const LogSum sum = sum_of({}, std::string_view(header).substr(0, 24), order);
  for (std::size_t i = 0; i < 4; ++i) {
    header[24 + i] = static_cast<char>(sum.first >> (24 - 8 * i));
    header[28 + i] = static_cast<char>(sum.second >> (24 - 8 * i));
  }
  ASSERT_TRUE(LogHeader::read(header));
  std::size_t next = 0;
  change(0, 32, [&](char) { return header[next++]; });
  change(40, 8, [](char byte) { return static_cast<char>(byte ^ 0x5a); });
  const auto size = fs::file_size(log());
  expect_refused("is older");
  EXPECT_EQ(fs::file_size(log()), size);
}

TEST_F(DamagedLog, IsAcceptedWithACopyBeside) {
  flip(frame(-8) + 1000, 3);
  const auto size = fs::file_size(log());
  EXPECT_EQ(events(OnDamagedLog::kAccept), kEvents - 8);
  fs::path copies;
  for (const auto& entry : fs::directory_iterator(killed())) {
    if (entry.path().filename().string().starts_with("damaged-")) copies = entry.path();
  }
  EXPECT_TRUE(fs::exists(copies / "tesela.db"));
  EXPECT_EQ(fs::file_size(copies / "tesela.db-wal"), size);
  EXPECT_EQ(events(), kEvents - 8);
}

TEST_F(DamagedLog, WhatWasWrittenSinceItWasAcceptedIsSound) {
  flip(frame(-8) + 1000, 3);
  const auto store =
      SqliteStore::open({.folder = killed(), .on_damaged_log = OnDamagedLog::kAccept});
  ASSERT_TRUE(store);
  Caller caller(**store, **store);
  EXPECT_TRUE(caller.append(TableId{1}, Version{kEvents - 7}));
  EXPECT_FALSE(walk_log(log())->damaged);
}

TEST_F(DamagedLog, WithoutDamageItIsUsedWhole) {
  EXPECT_TRUE(has_all());
}

}  // namespace damaged_log_test
}  // namespace tesela::store
