#include "clients/cli/load/frame_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "clients/cli/load/load_table.h"
#include "tesela/game/v1/g2048.pb.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {
namespace {

using game::v1::Direction;
using play::v1::ClientFrame;
using play::v1::ServerFrame;

game::v1::Game2048Event left_event() {
  game::v1::Game2048Event event;
  event.mutable_move()->set_direction(game::v1::DIRECTION_LEFT);
  auto& stage = *event.add_stages();
  for (std::uint32_t i = 0; i < 16; ++i) stage.add_cells(i);
  stage.set_points(300);
  auto& view = *event.mutable_view();
  view.set_size(4);
  for (std::uint32_t i = 0; i < 16; ++i) view.add_cells(15 - i);
  view.set_score(1'000'000);
  view.add_legal(game::v1::DIRECTION_UP);
  view.add_legal(game::v1::DIRECTION_DOWN);
  return event;
}

ServerFrame frame_of(const game::v1::Game2048Event& body) {
  ServerFrame frame;
  auto& event = *frame.mutable_event();
  event.set_version(1'234'567);
  event.set_at_ms(1'700'000'000'000);
  event.set_move_id("1234566");
  event.mutable_body()->PackFrom(body);
  event.mutable_turn()->add_seats(0);
  return frame;
}

TEST(FrameFields, SeesInAnEventWhatTheWholeMessageHolds) {
  const std::string bytes = frame_of(left_event()).SerializeAsString();
  const auto event = read_event_fields(bytes);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->version, 1'234'567U);
  EXPECT_EQ(event->move_id, "1234566");
  const auto view = read_2048_event_fields(event->body);
  ASSERT_TRUE(view);
  EXPECT_FALSE(view->over);
  ASSERT_EQ(view->cells.size(), 16);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(view->cells[i], static_cast<char>(15 - i));
}

TEST(FrameFields, AGameThatIsOverHasNoLegalMove) {
  auto event = left_event();
  event.mutable_view()->clear_legal();
  const auto view = read_2048_event_fields(event.SerializeAsString());
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->over);
}

TEST(FrameFields, OtherFramesAreNotEvents) {
  ServerFrame refusal;
  refusal.mutable_refusal()->set_move_id("1");
  EXPECT_FALSE(read_event_fields(refusal.SerializeAsString()));
  EXPECT_FALSE(read_event_fields(""));
}

TEST(FrameFields, AFrameThatIsCutOffIsNeverMistakenForAWholeOne) {
  const std::string bytes = frame_of(left_event()).SerializeAsString();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_FALSE(read_event_fields(bytes.substr(0, size))) << size;
  }
}

TEST(MoveWriter, WritesTheSameFrameAsTheMessageEachTime) {
  MoveWriter writer;
  std::string bytes;
  for (const std::uint64_t version : {1U, 300U, 70'000U}) {
    writer.write(version, g2048::Direction::kRight, bytes);
    ClientFrame frame;
    ASSERT_TRUE(frame.ParseFromString(bytes));
    EXPECT_EQ(frame.move().at_version(), version);
    EXPECT_EQ(frame.move().move_id(), std::to_string(version));
    game::v1::Game2048Move move;
    ASSERT_TRUE(frame.move().body().UnpackTo(&move));
    EXPECT_EQ(move.direction(), game::v1::DIRECTION_RIGHT);
  }
}

}  // namespace
}  // namespace tesela::cli
