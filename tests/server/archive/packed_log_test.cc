// Packed logs: whatever a log holds comes back byte for byte, or it is not packed.
#include "server/archive/packed_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/archive/event_coder.h"
#include "server/base/store_limits.h"
#include "server/codec/record.h"
#include "tests/played/played_game.h"

namespace tesela::archive {
namespace {

RecordList list_of(const std::vector<std::string>& records) {
  RecordList list;
  for (const std::string& record : records) list.add(record);
  return list;
}

RecordList list_of(const std::vector<codec::Record>& records) {
  RecordList list;
  for (const codec::Record& record : records) list.add(codec::encode(record));
  return list;
}

/// Packs, expects the same records back, and returns what was packed.
PackedLog packed_and_back(const RecordList& records) {
  const auto packed = pack(records);
  EXPECT_TRUE(packed) << packed.error().message;
  if (!packed) return {};
  EXPECT_EQ(packed->events, records.size());
  EXPECT_EQ(packed->bytes, records.bytes());
  EXPECT_EQ(unpack(*packed), records);
  return *packed;
}

class PackedGames : public testing::TestWithParam<const char*> {
 protected:
  played::PlayedGame play(played::Plan plan) {
    plan.game = GetParam();
    if (!plan.ids) plan.ids = played::counted_ids(random_);
    plan.moves_max = std::min<std::size_t>(plan.moves_max, 400);
    return played::play(plan, random_);
  }
  /// An id of 1 to 36 bytes that some client might choose.
  std::string odd_id() {
    constexpr std::array<std::string_view, 12> kParts{
        "0", "00", "7", "9999999999999999999", "-", "ä", "手", "🂡", "A", "deadbeef", " ", "\x7f"};
    std::string id;
    for (auto parts = 1 + random_() % 4; parts > 0; --parts) {
      const std::string_view part = kParts[random_() % kParts.size()];
      if (id.size() + part.size() <= 36) id += part;  // whole: half a character is not UTF-8
    }
    return id;
  }

  std::mt19937_64 random_{
      static_cast<std::uint64_t>(testing::UnitTest::GetInstance()->random_seed())};
};

INSTANTIATE_TEST_SUITE_P(Games, PackedGames, testing::Values("2048", "2248", "samegame", "azul"));

TEST_P(PackedGames, AGameComesBackWithoutItsDigestsBeingStored) {
  for (int game = 0; game < 5; ++game) {
    const auto records = list_of(play({}).records);
    const PackedLog packed = packed_and_back(records);
    EXPECT_EQ(packed.format, PackedFormat::kExecuted);
    EXPECT_LT(packed.data.size(), records.bytes() / 4);
  }
}

TEST_P(PackedGames, IdsOfEveryKindComeBack) {
  const auto uuid = [this](Seat, Version) {
    std::string id = played::random_ids(random_)(Seat{0}, Version{2});
    for (const std::size_t at : {8, 13, 18, 23}) id.insert(at, 1, '-');
    return id;
  };
  const auto odd = [this](Seat, Version) { return odd_id(); };
  for (const played::MoveIds& ids : {played::random_ids(random_), played::version_ids(),
                                     played::MoveIds(uuid), played::MoveIds(odd)}) {
    EXPECT_EQ(packed_and_back(list_of(play({.ids = ids}).records)).format, PackedFormat::kExecuted);
  }
}

TEST_P(PackedGames, BotsClocksAndTimeOutsComeBack) {
  auto game = play({.bots = {"greedy", "", "search", "ext/someone"}, .clocked = true});
  for (codec::Record& record : game.records) {
    auto* moved = std::get_if<codec::Moved>(&record.event);
    if (moved == nullptr) continue;
    moved->timed_out = random_() % 5 == 0;
    if (random_() % 7 == 0) moved->spent_ms = static_cast<std::int64_t>(random_() >> 1U);
    if (random_() % 7 == 0) moved->strategy = "strategy " + std::to_string(random_() % 3);
    if (random_() % 7 == 0) record.at_ms = static_cast<std::int64_t>(random_());
  }
  EXPECT_EQ(packed_and_back(list_of(game.records)).format, PackedFormat::kExecuted);
}

TEST_P(PackedGames, AResignationComesBack) {
  // In a short log the texts are most of what it may become when it is unpacked.
  for (const std::string& id : {odd_id(), std::string("deadbeef0"), std::string(35, 'x') + "7"}) {
    auto game = play({.moves_max = 1});
    const codec::Record last = game.records.back();
    game.records.push_back({.at_ms = last.at_ms + 1,
                            .event = codec::Resigned{.seat = Seat{0}, .move_id = id},
                            .digest = last.digest});
    EXPECT_EQ(packed_and_back(list_of(game.records)).format, PackedFormat::kExecuted) << id;
  }
}

TEST_P(PackedGames, AClaimedGameComesBack) {
  auto game = play({.moves_max = 5});
  const codec::Record last = game.records.back();
  game.records.push_back(
      {.at_ms = last.at_ms + 1,
       .event = codec::Resigned{.seat = Seat{0}, .move_id = odd_id(), .claimed_by = Seat{1}},
       .digest = last.digest});
  EXPECT_EQ(packed_and_back(list_of(game.records)).format, PackedFormat::kBytes);
}

TEST_P(PackedGames, MovesThatAreTakenBackComeBack) {
  if (GetParam() == std::string_view("azul")) GTEST_SKIP() << "no practice at such a table";
  const auto is_undone = [](const codec::Record& record) {
    return std::holds_alternative<codec::Undone>(record.event);
  };
  auto game = play({.practice = true});
  while (std::ranges::none_of(game.records, is_undone)) game = play({.practice = true});
  EXPECT_EQ(packed_and_back(list_of(game.records)).format, PackedFormat::kExecuted);
}

TEST_P(PackedGames, ADigestThatTheRulesDoNotLeadToIsStored) {
  auto game = play({.moves_max = 20});
  game.records[game.records.size() / 2].digest ^= 1U;
  EXPECT_EQ(packed_and_back(list_of(game.records)).format, PackedFormat::kFields);
}

TEST_P(PackedGames, AMoveThatTheRulesRefuseIsStored) {
  auto game = play({.moves_max = 20});
  std::get<codec::Moved>(game.records[3].event).move = "no move";
  std::get<codec::Moved>(game.records[4].event).move = std::string(3000, '\xff');
  EXPECT_EQ(packed_and_back(list_of(game.records)).format, PackedFormat::kFields);
}

TEST_P(PackedGames, RecordsOfANewerServerAreStoredAsBytes) {
  auto records = play({.moves_max = 20}).encoded();
  records[3] += "\xfa\x01\x01x";  // a field that this server does not know
  EXPECT_EQ(packed_and_back(list_of(records)).format, PackedFormat::kBytes);
}

TEST_P(PackedGames, ASecondBeginningIsStoredAsBytes) {
  auto records = play({.moves_max = 20}).encoded();
  records.push_back(records.front());
  EXPECT_EQ(packed_and_back(list_of(records)).format, PackedFormat::kBytes);
  records.erase(records.begin());
  EXPECT_EQ(packed_and_back(list_of(records)).format, PackedFormat::kBytes);
}

TEST_P(PackedGames, NoDamageGivesOtherRecords) {
  const auto records = list_of(play({.moves_max = 12}).records);
  for (const Digests digests : {Digests::kNone, Digests::kCoded}) {
    PackedLog packed = packed_and_back(records);
    if (digests == Digests::kCoded) {
      packed.format = PackedFormat::kFields;
      std::vector<codec::Record> values;
      for (std::size_t i = 0; i < records.size(); ++i) {
        values.push_back(codec::decode_record(records[i]).value());
      }
      packed.data = encode_events(values, digests);
      ASSERT_EQ(unpack(packed), records);
    }
    for (std::size_t i = 0; i < packed.data.size(); ++i) {
      PackedLog damaged = packed;
      damaged.data[i] = static_cast<char>(damaged.data[i] ^ (1U << random_() % 8));
      const auto unpacked = unpack(damaged);
      if (unpacked) {
        EXPECT_EQ(unpacked, records);
      } else {
        EXPECT_EQ(unpacked.error().code, ErrorCode::kCorrupt);
      }
      damaged.data.resize(i);
      EXPECT_FALSE(unpack(damaged)) << "cut after " << i;
    }
    PackedLog longer = packed;
    longer.data += '\0';
    EXPECT_FALSE(unpack(longer));
  }
}

TEST(PackedLog, WhatIsSaidOfARowMustBeTrue) {
  const auto packed = packed_and_back(list_of(std::vector<std::string>{"a", "", "bc"}));
  EXPECT_EQ(packed.format, PackedFormat::kBytes);
  const auto refused = [&](auto change) {
    PackedLog other = packed;
    change(other);
    const auto unpacked = unpack(other);
    return !unpacked && unpacked.error().code == ErrorCode::kCorrupt;
  };
  EXPECT_TRUE(refused([](PackedLog& log) { ++log.events; }));
  EXPECT_TRUE(refused([](PackedLog& log) { --log.events; }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.events = 0; }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.events = ~std::uint64_t{0}; }));
  EXPECT_TRUE(refused([](PackedLog& log) { ++log.bytes; }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.bytes = ~std::uint64_t{0}; }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.hash[3] ^= 1; }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.hash.clear(); }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.format = static_cast<PackedFormat>(4); }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.format = static_cast<PackedFormat>(0); }));
}

TEST(PackedLog, AnEmptyOrTooLargeLogIsNotPacked) {
  RecordList records;
  EXPECT_EQ(pack(records).error().code, ErrorCode::kInvalidArgument);
  for (std::size_t i = 0; i <= limits::kArchiveEventsMax; ++i) records.add("");
  EXPECT_EQ(pack(records).error().code, ErrorCode::kInvalidArgument);
  RecordList large;
  large.add(std::string(limits::kArchiveBytesMax + 1, 'x'));
  EXPECT_EQ(pack(large).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace tesela::archive
