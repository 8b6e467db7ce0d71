// Packed logs: whatever a log holds comes back but for digests, or it is not packed.
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

#include "server/base/store_limits.h"
#include "server/codec/record.h"
#include "server/games/games.h"
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

/// What is kept of the records: no digests but the last.
RecordList kept_of(std::vector<codec::Record> records) {
  for (std::size_t i = 0; i + 1 < records.size(); ++i) records[i].digest = 0;
  return list_of(records);
}

/// Packs, expects the same records back, and returns what was packed.
PackedLog packed_and_back(const std::vector<codec::Record>& records) {
  const auto packed = pack(list_of(records));
  EXPECT_TRUE(packed) << packed.error().message;
  if (!packed) return {};
  const RecordList kept = kept_of(records);
  EXPECT_EQ(packed->events, kept.size());
  EXPECT_EQ(packed->bytes, kept.bytes());
  EXPECT_EQ(unpack(*packed), kept);
  return *packed;
}

std::vector<std::string> names_of_games() {
  std::vector<std::string> names;
  for (const games::GameEntry& game : games::all_games()) names.emplace_back(game.name);
  return names;
}

class PackedGames : public testing::TestWithParam<std::string> {
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

INSTANTIATE_TEST_SUITE_P(Games, PackedGames, testing::ValuesIn(names_of_games()));

TEST_P(PackedGames, AGameComesBack) {
  std::size_t packed_bytes = 0;
  std::uint64_t bytes = 0;
  for (int game = 0; game < 5; ++game) {
    const PackedLog packed = packed_and_back(play({}).records);
    packed_bytes += packed.data.size();
    bytes += packed.bytes;
  }
  // Of all together: one may be over after ten moves.
  EXPECT_LT(packed_bytes, bytes / 4);
}

TEST_P(PackedGames, AnyPartOfALongGameIsUnpacked) {
  // Longer than a block.
  auto records = play({}).records;
  while (records.size() < 1500) records.push_back(records[1 + random_() % (records.size() - 1)]);
  const PackedLog packed = packed_and_back(records);
  const RecordList kept = kept_of(records);
  for (const std::uint64_t from : {1, 2, 512, 513, 1024, 1499, 1500, 1501, 90'000}) {
    for (const std::size_t max : {0, 1, 2, 600, 10'000}) {
      RecordList part;
      for (std::size_t i = from - 1; i < kept.size() && part.size() < max; ++i) part.add(kept[i]);
      EXPECT_EQ(unpack(packed, Version{from}, max), part) << from << " " << max;
    }
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
    packed_and_back(play({.ids = ids}).records);
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
  packed_and_back(game.records);
}

TEST_P(PackedGames, AResignationComesBack) {
  // In a short log the texts are most of what it may become when it is unpacked.
  for (const std::string& id : {odd_id(), std::string("deadbeef0"), std::string(35, 'x') + "7"}) {
    auto game = play({.moves_max = 1});
    const codec::Record last = game.records.back();
    game.records.push_back({.at_ms = last.at_ms + 1,
                            .event = codec::Resigned{.seat = Seat{0}, .move_id = id},
                            .digest = last.digest});
    packed_and_back(game.records);
  }
}

TEST_P(PackedGames, AClaimedGameComesBack) {
  auto game = play({.moves_max = 5});
  const codec::Record last = game.records.back();
  game.records.push_back(
      {.at_ms = last.at_ms + 1,
       .event = codec::Resigned{.seat = Seat{0}, .move_id = odd_id(), .claimed_by = Seat{1}},
       .digest = last.digest});
  packed_and_back(game.records);
}

TEST_P(PackedGames, MovesThatAreTakenBackComeBack) {
  const auto usual = games::find_game(GetParam()).value()->configure(nullptr).value();
  if (usual.seats > 1) GTEST_SKIP() << "no practice at such a table";
  const auto is_undone = [](const codec::Record& record) {
    return std::holds_alternative<codec::Undone>(record.event);
  };
  auto game = play({.practice = true});
  while (std::ranges::none_of(game.records, is_undone)) game = play({.practice = true});
  packed_and_back(game.records);
}

TEST_P(PackedGames, WhatTheRulesRefuseIsPacked) {
  auto game = play({.moves_max = 20});
  game.records.back().digest ^= 1U;
  std::get<codec::Moved>(game.records[3].event).move = "no move";
  std::get<codec::Moved>(game.records[4].event).move = std::string(3000, '\xff');
  packed_and_back(game.records);
}

TEST_P(PackedGames, RecordsThatNoServerWritesAreNotPacked) {
  const auto records = play({.moves_max = 20}).encoded();
  const auto refused = [&](auto change) {
    auto changed = records;
    change(changed);
    const auto packed = pack(list_of(changed));
    return !packed && packed.error().code == ErrorCode::kInvalidArgument;
  };
  EXPECT_TRUE(refused([](auto& all) { all[3] += "\xfa\x01\x01x"; })) << "a newer server's field";
  EXPECT_TRUE(refused([](auto& all) { all[3] = "no record"; }));
  EXPECT_TRUE(refused([](auto& all) { all.push_back(all.front()); })) << "a second beginning";
  EXPECT_TRUE(refused([](auto& all) { all.erase(all.begin()); })) << "no beginning";
}

TEST_P(PackedGames, NoDamageGivesOtherRecords) {
  const auto records = play({.moves_max = 12}).records;
  const PackedLog packed = packed_and_back(records);
  for (std::size_t i = 0; i < packed.data.size(); ++i) {
    PackedLog damaged = packed;
    damaged.data[i] = static_cast<char>(damaged.data[i] ^ (1U << random_() % 8));
    for (const auto& unpacked : {unpack(damaged), unpack(damaged, Version{1}, records.size())}) {
      if (unpacked) {
        EXPECT_EQ(unpacked, kept_of(records));
      } else {
        EXPECT_EQ(unpacked.error().code, ErrorCode::kCorrupt);
      }
    }
    damaged.data.resize(i);
    EXPECT_FALSE(unpack(damaged)) << "cut after " << i;
  }
  PackedLog longer = packed;
  longer.data += '\0';
  EXPECT_FALSE(unpack(longer));
}

TEST_P(PackedGames, WhatIsSaidOfARowMustBeTrue) {
  const auto packed = packed_and_back(play({.moves_max = 12}).records);
  const auto refused = [&](auto change) {
    PackedLog other = packed;
    change(other);
    const auto unpacked = unpack(other);
    return !unpacked && unpacked.error().code == ErrorCode::kCorrupt;
  };
  // Readers take pages, which have no hash.
  const auto page_refused = [&](auto change) {
    PackedLog other = packed;
    change(other);
    const auto page = unpack(other, Version{other.events}, 1);
    return !page && page.error().code == ErrorCode::kCorrupt;
  };
  for (const std::uint64_t events : {std::uint64_t{0}, packed.events - 1, packed.events + 1}) {
    EXPECT_TRUE(page_refused([events](PackedLog& log) { log.events = events; }));
  }
  EXPECT_TRUE(page_refused([](PackedLog& log) {
    log.events = 0;
    log.data.clear();
  }));
  EXPECT_TRUE(refused([](PackedLog& log) { ++log.events; }));
  EXPECT_TRUE(refused([](PackedLog& log) { --log.events; }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.events = 0; }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.events = ~std::uint64_t{0}; }));
  EXPECT_TRUE(refused([](PackedLog& log) { ++log.bytes; }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.bytes = ~std::uint64_t{0}; }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.hash[3] ^= 1; }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.hash.clear(); }));
  EXPECT_TRUE(refused([](PackedLog& log) { log.format = static_cast<PackedFormat>(5); }));
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
