#include "server/games/games.h"

#include <gmock/gmock.h>
#include <google/protobuf/any.pb.h>
#include <gtest/gtest.h>
#include <tesela/game/v1/g2048.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace tesela::codec {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<games::Match> a_game_of_2048(std::uint8_t seed) {
  const auto* entry = games::find_game("2048").value();
  const auto config = entry->configure(nullptr).value();
  return entry->start(config.bytes, {seed}).value();
}

game::v1::Game2048View view_of(const games::Match& match) {
  play::v1::ServerFrame frame;
  frame.ParseFromString(match.snapshot(Version{1}, 0, {}, {}));
  game::v1::Game2048View view;
  frame.snapshot().view().UnpackTo(&view);
  return view;
}

std::string first_legal_move(const games::Match& match) {
  game::v1::Game2048Move move;
  move.set_direction(static_cast<game::v1::Direction>(view_of(match).legal(0)));
  return move.SerializeAsString();
}

constexpr games::Stamp kStamp{
    .version = Version{2}, .at = base::Moment::logged(9), .seat = Seat{0}, .move_id = "m"};

/// Plays the match to its end.
std::vector<play::v1::ServerFrame> frames_of(games::Match& match) {
  std::vector<play::v1::ServerFrame> frames;
  while (match.turn()) {
    const auto played = match.play(kStamp, first_legal_move(match), games::Want::kFrame).value();
    match.commit();
    frames.emplace_back().ParseFromString(played.frame);
  }
  return frames;
}

TEST(Games, AnUnknownGameIsRefusedWithTheKnownOnes) {
  const auto found = games::find_game("chess");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(found.error().message, HasSubstr("chess"));
  EXPECT_THAT(found.error().message, HasSubstr("2048"));
}

TEST(Games, AConfigurationOfAnotherGameIsRefused) {
  google::protobuf::Any any;
  any.PackFrom(game::v1::Game2048Move{});
  const auto config = games::find_game("2048").value()->configure(&any);
  ASSERT_FALSE(config);
  EXPECT_THAT(config.error().message, HasSubstr("Game2048Config"));
}

TEST(Match, TheSameSeedGivesTheSameGame) {
  EXPECT_EQ(a_game_of_2048(1)->snapshot(Version{1}, 0, {}, {}),
            a_game_of_2048(1)->snapshot(Version{1}, 0, {}, {}));
  EXPECT_NE(a_game_of_2048(1)->snapshot(Version{1}, 0, {}, {}),
            a_game_of_2048(2)->snapshot(Version{1}, 0, {}, {}));
}

// A strategy is made for each move: the plan is what it remembers.
TEST(Match, AStrategyPlaysOnByThePlanOfItsAnswerBefore) {
  const auto* entry = games::find_game("samegame").value();
  const auto match = entry->start(entry->configure(nullptr).value().bytes, {5}).value();
  Rng rng{Seed{}};
  Budget budget{.nodes = 50'000};
  games::Plan plan;
  std::optional<double> promised;
  std::optional<double> scored;
  while (match->turn()) {
    const auto advice = match->search_task("search", Seat{0}, plan).value()(rng, budget);
    promised = promised ? promised : advice.value;
    plan = advice.plan;
    budget.nodes = 0;  // nothing is found but what was found before
    const auto played = match->play(kStamp, advice.move, games::Want::kPosition).value();
    match->commit();
    if (played.standings) scored = static_cast<double>(played.standings->standings[0].points);
  }
  ASSERT_TRUE(promised);
  EXPECT_EQ(scored, promised);
}

TEST(Match, AMoveChangesNothingUntilItIsCommitted) {
  const auto match = a_game_of_2048(1);
  const auto before = match->snapshot(Version{1}, 0, {}, {});
  const auto move = first_legal_move(*match);
  const auto first = match->play(kStamp, move, games::Want::kFrame);
  ASSERT_TRUE(first);
  EXPECT_EQ(match->snapshot(Version{1}, 0, {}, {}), before);
  // Tried again, as after a refused append: the same dice fall.
  const auto again = match->play(kStamp, move, games::Want::kFrame);
  ASSERT_TRUE(again);
  EXPECT_EQ(first->frame, again->frame);
  match->commit();
  EXPECT_NE(match->snapshot(Version{1}, 0, {}, {}), before);
  EXPECT_EQ(match->digest(), again->digest);
}

TEST(Match, AFrameHoldsNothingOfTheOneBefore) {
  const auto match = a_game_of_2048(1);
  const auto move = first_legal_move(*match);
  const auto frame_of = [&](const games::Stamp& stamp) {
    return match->play(stamp, move, games::Want::kFrame).value().frame;
  };
  std::string fresh;
  std::thread([&] { fresh = frame_of(kStamp); }).join();
  games::Clock clock({.move = std::chrono::seconds{9}}, 1);
  clock.begin_turn(base::Moment::logged(5));
  const games::Stamp full{.version = Version{7},
                          .at = base::Moment::logged(11),
                          .seat = Seat{0},
                          .move_id = "another",
                          .strategy = "greedy",
                          .timed_out = true,
                          .clock = &clock};
  EXPECT_NE(frame_of(full), fresh);
  EXPECT_EQ(frame_of(kStamp), fresh);
  const auto last = frames_of(*a_game_of_2048(2)).back();
  EXPECT_TRUE(last.event().has_result());
  EXPECT_EQ(frame_of(kStamp), fresh);
}

TEST(Match, WithoutTheFrameThePositionIsTheSame) {
  const auto with = a_game_of_2048(3);
  const auto without = a_game_of_2048(3);
  for (int i = 0; i < 50; ++i) {
    const auto move = first_legal_move(*with);
    const auto a = with->play(kStamp, move, games::Want::kFrame);
    const auto b = without->play(kStamp, move, games::Want::kPosition);
    ASSERT_TRUE(a && b);
    EXPECT_TRUE(b->frame.empty());
    EXPECT_EQ(a->digest, b->digest);
    with->commit();
    without->commit();
  }
  EXPECT_EQ(with->snapshot(Version{9}, 1, {}, {}), without->snapshot(Version{9}, 1, {}, {}));
}

TEST(Match, TheEventHoldsThePositionAfterIt) {
  const auto match = a_game_of_2048(4);
  const auto played = match->play(kStamp, first_legal_move(*match), games::Want::kFrame);
  ASSERT_TRUE(played);
  match->commit();
  play::v1::ServerFrame frame;
  ASSERT_TRUE(frame.ParseFromString(played->frame));
  EXPECT_EQ(frame.event().version(), 2U);
  EXPECT_EQ(frame.event().move_id(), "m");
  game::v1::Game2048Event event;
  ASSERT_TRUE(frame.event().body().UnpackTo(&event));
  EXPECT_EQ(event.view().SerializeAsString(), view_of(*match).SerializeAsString());
  ASSERT_FALSE(event.stages().empty());
  EXPECT_EQ(event.stages().rbegin()->kind(), game::v1::GAME2048_STAGE_KIND_SPAWN);
}

TEST(Match, BrokenBytesAndForeignSeatsAreRefused) {
  const auto match = a_game_of_2048(5);
  EXPECT_EQ(match->play(kStamp, "\xff", games::Want::kFrame).error().code,
            ErrorCode::kInvalidArgument);
  auto stamp = kStamp;
  stamp.seat = Seat{1};
  EXPECT_EQ(match->play(stamp, first_legal_move(*match), games::Want::kFrame).error().code,
            ErrorCode::kNotYourTurn);
}

TEST(Match, AGamePlayedToItsEndHasAResult) {
  const auto match = a_game_of_2048(6);
  std::optional<std::string> result;
  while (match->turn()) {
    const auto played = match->play(kStamp, first_legal_move(*match), games::Want::kPosition);
    ASSERT_TRUE(played);
    match->commit();
    result = played->result;
  }
  ASSERT_TRUE(result);
  play::v1::Result standings;
  ASSERT_TRUE(standings.ParseFromString(*result));
  ASSERT_EQ(standings.standings_size(), 1);
  EXPECT_EQ(standings.standings(0).points(), static_cast<std::int64_t>(view_of(*match).score()));
}

}  // namespace
}  // namespace tesela::codec
