#include "server/archive/event_coder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/played/played_game.h"

namespace tesela::archive {
namespace {

/// The first event of a game that no server has, and `moves` after it.
std::vector<codec::Record> log_of(const std::vector<codec::Event>& moves) {
  std::vector<codec::Record> records{
      {.at_ms = 1'700'000'000'000,
       .event = codec::Created{.game = "none", .config = "config", .seed = {1, 2, 3}, .seats = 2},
       .digest = 7}};
  for (const codec::Event& move : moves) {
    records.push_back({.at_ms = records.back().at_ms + 250, .event = move, .digest = 0});
  }
  return records;
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (const char byte : bytes) {
    digits += kDigits[static_cast<std::uint8_t>(byte) >> 4U];
    digits += kDigits[static_cast<std::uint8_t>(byte) & 15U];
  }
  return digits;
}

void expect_back(const std::vector<codec::Record>& records) {
  const std::string bytes = encode_events(records, Digests::kCoded);
  const auto back = decode_events(bytes, records.size(), Digests::kCoded, 1'000'000);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, records);
}

TEST(EventCoder, ExtremesComeBack) {
  auto records = log_of({codec::Moved{.seat = Seat{3}, .move_id = "", .move = ""},
                         codec::Moved{.seat = Seat{0},
                                      .move_id = std::string("\0\xff", 2),
                                      .move = std::string(100'000, '\0'),
                                      .strategy = std::string("\0", 1),
                                      .spent_ms = INT64_MAX,
                                      .timed_out = true},
                         codec::Undone{.move_id = "0", .to = Version{~std::uint64_t{0}}},
                         codec::Undone{.move_id = "000000000000000000000", .to = Version{0}},
                         codec::Resigned{.seat = Seat{2}, .move_id = "999999999999999999"},
                         codec::Resigned{.seat = Seat{2}, .move_id = "1000000000000000000"}});
  expect_back(records);
  records[1].at_ms = INT64_MIN;
  records[2].at_ms = INT64_MAX;
  records[3].digest = ~std::uint64_t{0};
  expect_back(records);
}

// Packed logs are stored: with other bytes those of earlier servers could not be read.
TEST(EventCoder, TheBytesOfALogNeverChange) {
  const auto records = log_of(
      {codec::Moved{.seat = Seat{0}, .move_id = "a-1", .move = "\x08\x01"},
       codec::Moved{.seat = Seat{1}, .move_id = "a-2", .move = "\x08\x02", .strategy = "greedy"},
       codec::Moved{.seat = Seat{0},
                    .move_id = "00112233445566778899aabbccddeeff",
                    .move = "\x0a\x08\x0a\x06\x01\x02\x03\x04\x05\x06",
                    .spent_ms = 249},
       codec::Undone{.move_id = "id", .to = Version{2}},
       codec::Resigned{.seat = Seat{1}, .move_id = "00112233-4455-6677-8899-aabbccddeeff"}});
  EXPECT_EQ(hex(encode_events(records, Digests::kNone)),
            "024f6aa5000f7f7918eacbf9efc922c3b5fc3c57025a14e9a5a10b820257040603ffffffffff70c9"
            "4b22147af013352b1edb4b6f517a1b8804b0c6be2beed57c048d159e26af37c048d159e26c898bc4"
            "52e6eededfdd9f2502f34d49c0af9e8d7c6b5a4938271604f3e2d2");
}

TEST(EventCoder, TheBytesOfLongMovesNeverChange) {
  const auto records = log_of(
      {codec::Moved{
           .seat = Seat{0}, .move_id = "a-1", .move = "\x0a\x08\x0a\x06\x01\x02\x05\x05\x04\x03"},
       codec::Moved{
           .seat = Seat{0}, .move_id = "a-2", .move = "\x0a\x08\x0a\x06\x07\x08\x0b\xff\x01\x04"}});
  // As another program has written it that follows FORMAT.md.
  EXPECT_EQ(hex(encode_events(records, Digests::kNone)),
            "024f6aa5000f7f7918eacbf9efc922c3b5fc3c57025a14e9a5a10b820257040603ffffffffff70c9"
            "4b22147af012f3159e46a0fe5fbf65f588720631ca442e");
}

TEST(EventCoder, IdsThatCountCostLittle) {
  std::mt19937_64 random(1);
  const auto size = [&](const played::MoveIds& ids) {
    std::vector<codec::Event> moves;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      moves.emplace_back(codec::Moved{
          .seat = Seat{0}, .move_id = ids(Seat{0}, Version{i + 2}), .move = "\x08\x01"});
    }
    return encode_events(log_of(moves), Digests::kNone).size();
  };
  EXPECT_LT(size(played::version_ids()), 200);
  EXPECT_LT(size(played::counted_ids(random)), 220);
  EXPECT_LT(size(played::random_ids(random)), 16'200);
}

TEST(EventCoder, ALengthThatIsTooLargeIsRefused) {
  const auto records = log_of({codec::Moved{
      .seat = Seat{0}, .move_id = "a", .move = std::string(5000, 'x'), .strategy = "greedy"}});
  const std::string bytes = encode_events(records, Digests::kNone);
  EXPECT_TRUE(decode_events(bytes, 2, Digests::kNone, 6000));
  EXPECT_EQ(decode_events(bytes, 2, Digests::kNone, 4000).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(decode_events(bytes, 3, Digests::kNone, 6000).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(decode_events(bytes, 1, Digests::kNone, 6000).error().code, ErrorCode::kCorrupt);
}

TEST(EventCoder, RecordsOfAnyBytesComeBack) {
  RecordList records;
  for (const std::string& record :
       {std::string(), std::string("\0\0", 2), std::string(100'000, 'x'), std::string("a")}) {
    records.add(record);
  }
  const std::string bytes = encode_bytes(records);
  EXPECT_EQ(decode_bytes(bytes, 4, 200'000), records);
  EXPECT_EQ(decode_bytes(bytes, 4, 100'000).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(decode_bytes(bytes, 3, 200'000).error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tesela::archive
