#include "server/codec/record.h"

#include <gtest/gtest.h>
#include <tesela/log/v1/record.pb.h>

#include <vector>

namespace tesela::codec {
namespace {

Created some_creation() {
  Created created{.game = "2048", .config = std::string("\x08\x04", 2), .seed = {}, .seats = 1};
  for (std::size_t i = 0; i < created.seed.size(); ++i) {
    created.seed[i] = static_cast<std::uint8_t>(i * 7);
  }
  return created;
}

TEST(Record, ACreationComesBack) {
  const Record record{.at_ms = 1'700'000'000'123, .event = some_creation(), .digest = 42};
  EXPECT_EQ(decode_record(encode(record)), record);
}

TEST(Record, AMoveComesBackWithAnyBytes) {
  const Moved moved{.seat = Seat{3}, .move_id = "a-1", .move = std::string("\0\xff\n", 3)};
  const Record record{.at_ms = 5, .event = moved, .digest = ~std::uint64_t{0}};
  EXPECT_EQ(decode_record(encode(record)), record);
}

TEST(Record, AMoveIsEncodedFromItsPartsAsFromAnEvent) {
  const Moved moved{.seat = Seat{3},
                    .move_id = "a-1",
                    .move = std::string("\0\xff\n", 3),
                    .strategy = "greedy",
                    .spent_ms = 700,
                    .timed_out = true};
  const MovedView view{.seat = moved.seat,
                       .move_id = moved.move_id,
                       .move = moved.move,
                       .strategy = moved.strategy,
                       .spent_ms = moved.spent_ms,
                       .timed_out = moved.timed_out};
  EXPECT_EQ(encode(5, view, 42), encode({.at_ms = 5, .event = moved, .digest = 42}));
  EXPECT_EQ(encode(0, MovedView{}, 0), encode({.at_ms = 0, .event = Moved{}, .digest = 0}));
}

TEST(Record, GivingUpAndTakingBackComeBack) {
  const Record resigned{
      .at_ms = 5, .event = Resigned{.seat = Seat{2}, .move_id = "r"}, .digest = 1};
  EXPECT_EQ(decode_record(encode(resigned)), resigned);
  const Record undone{.at_ms = 6, .event = Undone{.move_id = "u", .to = Version{3}}, .digest = 2};
  EXPECT_EQ(decode_record(encode(undone)), undone);
}

TEST(Record, HoldsNothingOfTheOneBefore) {
  const Moved full{.seat = Seat{3},
                   .move_id = "m",
                   .move = "move",
                   .strategy = "greedy",
                   .spent_ms = 7,
                   .timed_out = true};
  const Created little{.game = "", .config = "", .seed = {}, .seats = 1};
  const Resigned resigned{.seat = Seat{2}, .move_id = "r"};
  const Undone undone{.move_id = "u", .to = Version{3}};
  const std::vector<Event> events = {full,       Moved{}, some_creation(), little, resigned,
                                     Resigned{}, undone,  Undone{},        full,   Moved{}};
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Record record{.at_ms = 0, .event = events[i], .digest = 0};
    EXPECT_EQ(decode_record(encode(record)), record) << i;
  }
}

TEST(Record, BrokenBytesAreCorrupt) {
  const auto read = decode_record("\xff\xff\xff");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
}

TEST(Record, AnEventThatIsNotKnownIsCorrupt) {
  log::v1::Record newer;
  newer.set_at_ms(1);
  newer.GetReflection()->MutableUnknownFields(&newer)->AddVarint(15, 1);
  const auto read = decode_record(newer.SerializeAsString());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
}

TEST(Record, ASeedOfAnotherLengthIsCorrupt) {
  log::v1::Record record;
  record.mutable_created()->set_seed("short");
  record.mutable_created()->set_seats(1);
  EXPECT_FALSE(decode_record(record.SerializeAsString()));
}

TEST(Record, ASeatThatNoGameHasIsCorrupt) {
  log::v1::Record record;
  record.mutable_moved()->set_seat(4);
  EXPECT_FALSE(decode_record(record.SerializeAsString()));
}

}  // namespace
}  // namespace tesela::codec
