#include "server/codec/frame.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>
#include <tesela/game/v1/g2048.pb.h>
#include <tesela/play/v1/play.pb.h>

#include "server/games/games.h"

namespace tesela::codec {
namespace {

using ::testing::HasSubstr;

play::v1::ServerFrame read(const Frame& frame) {
  play::v1::ServerFrame out;
  EXPECT_TRUE(out.ParseFromString(frame.bytes(Protocol::kBinary)));
  return out;
}

std::string a_move_in(Protocol protocol) {
  play::v1::ClientFrame frame;
  auto& move = *frame.mutable_move();
  move.set_move_id("m1");
  move.set_at_version(7);
  game::v1::Game2048Move body;
  body.set_direction(game::v1::DIRECTION_UP);
  move.mutable_body()->PackFrom(body);
  if (protocol == Protocol::kBinary) return frame.SerializeAsString();
  std::string json;
  EXPECT_TRUE(google::protobuf::util::MessageToJsonString(frame, &json).ok());
  return json;
}

class ClientFrames : public ::testing::TestWithParam<Protocol> {};
INSTANTIATE_TEST_SUITE_P(BothProtocols, ClientFrames,
                         ::testing::Values(Protocol::kBinary, Protocol::kJson));

TEST_P(ClientFrames, AMoveIsReadWithTheTypeOfItsBody) {
  const auto frame = decode_client_frame(a_move_in(GetParam()), GetParam());
  ASSERT_TRUE(frame);
  const auto& move = std::get<Move>(*frame);
  EXPECT_EQ(move.move_id, "m1");
  EXPECT_EQ(move.at_version, Version{7});
  EXPECT_EQ(move.type, "tesela.game.v1.Game2048Move");
  EXPECT_EQ(move.body, "\x08\x03");
}

TEST(ClientFrame, AMoveThatIsNotWholeIsRefused) {
  const std::string move = a_move_in(Protocol::kBinary);
  EXPECT_FALSE(decode_client_frame(move.substr(0, move.size() - 1), Protocol::kBinary));
}

TEST_P(ClientFrames, GarbageIsRefusedWithASentence) {
  const auto frame = decode_client_frame("\xff{nonsense", GetParam());
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(frame.error().message, HasSubstr("tesela.play.v1.ClientFrame"));
}

TEST(ClientFrame, WhatIsSaidIsTrimmedAndMustBeShowable) {
  const auto said = [](std::string text) {
    play::v1::ClientFrame frame;
    frame.mutable_say()->set_text(std::move(text));
    return decode_client_frame(frame.SerializeAsString(), Protocol::kBinary);
  };
  EXPECT_EQ(std::get<Say>(*said("  Hi!\n")), Say{"Hi!"});
  EXPECT_THAT(said("  ").error().message, HasSubstr("message is empty"));
  EXPECT_THAT(said("a\u202eb").error().message, HasSubstr("cannot be shown"));
  EXPECT_THAT(said(std::string(201, 'x')).error().message, HasSubstr("at most 200"));
}

TEST(ClientFrame, EveryTextIsUtf8) {
  const std::string broken = "half a \xC3";
  const auto said = [](const play::v1::ClientFrame& frame) {
    // Protobuf writes it all the same, in its own place of a frame.
    return decode_client_frame(frame.SerializeAsString(), Protocol::kBinary);
  };
  play::v1::ClientFrame frame;
  frame.mutable_hello()->set_token(broken);
  EXPECT_EQ(said(frame).error().message, "hello.token must be valid UTF-8.");
  frame.mutable_hello()->clear_token();
  frame.mutable_hello()->set_invite(broken);
  EXPECT_EQ(said(frame).error().message, "hello.invite must be valid UTF-8.");
  frame.mutable_move()->set_move_id(broken);
  EXPECT_EQ(said(frame).error().message, "move.move_id must be valid UTF-8.");
  frame.mutable_move()->set_move_id("m");
  frame.mutable_move()->mutable_body()->set_type_url(broken);
  EXPECT_EQ(said(frame).error().message, "move.body.type_url must be valid UTF-8.");
  frame.mutable_hint_request()->set_hint_id(broken);
  EXPECT_EQ(said(frame).error().message, "hint_request.hint_id must be valid UTF-8.");
  frame.mutable_hint_request()->set_hint_id("h");
  frame.mutable_hint_request()->set_strategy(broken);
  EXPECT_EQ(said(frame).error().message, "hint_request.strategy must be valid UTF-8.");
  frame.mutable_say()->set_text(broken);
  EXPECT_EQ(said(frame).error().message, "say.text must be valid UTF-8.");
  frame.mutable_mute()->set_player_id(broken);
  EXPECT_EQ(said(frame).error().message, "mute.player_id must be valid UTF-8.");
  const auto json =
      decode_client_frame("{\"say\": {\"text\": \"" + broken + "\"}}", Protocol::kJson);
  ASSERT_FALSE(json);
  EXPECT_THAT(json.error().message, HasSubstr("in UTF-8"));
}

TEST(ClientFrame, APhraseIsOneThatThereIs) {
  play::v1::ClientFrame frame;
  frame.mutable_say()->set_phrase(play::v1::PHRASE_GOOD_GAME);
  const auto said = decode_client_frame(frame.SerializeAsString(), Protocol::kBinary);
  EXPECT_EQ(std::get<Say>(*said), Say{Phrase{play::v1::PHRASE_GOOD_GAME}});
  for (const int none : {0, 99}) {
    frame.mutable_say()->set_phrase(static_cast<play::v1::Phrase>(none));
    EXPECT_FALSE(decode_client_frame(frame.SerializeAsString(), Protocol::kBinary)) << none;
  }
}

TEST(ClientFrame, AClaimWishesAResignationOrABot) {
  play::v1::ClientFrame frame;
  frame.mutable_claim()->set_claim_id("c");
  const auto claimed = [&](play::v1::ClaimWish wish) {
    frame.mutable_claim()->set_wish(wish);
    return decode_client_frame(frame.SerializeAsString(), Protocol::kBinary);
  };
  EXPECT_EQ(std::get<Claim>(*claimed(play::v1::CLAIM_WISH_RESIGNATION)).wish,
            ClaimWish::kResignation);
  EXPECT_EQ(std::get<Claim>(*claimed(play::v1::CLAIM_WISH_BOT)).wish, ClaimWish::kBot);
  EXPECT_THAT(claimed(play::v1::CLAIM_WISH_UNSPECIFIED).error().message,
              HasSubstr("must be CLAIM_WISH_RESIGNATION or CLAIM_WISH_BOT"));
}

TEST(ClientFrame, WhoIsMutedIsAPlayer) {
  play::v1::ClientFrame frame;
  frame.mutable_mute()->set_player_id("nobody!");
  EXPECT_THAT(decode_client_frame(frame.SerializeAsString(), Protocol::kBinary).error().message,
              HasSubstr("id of a player"));
}

TEST(ClientFrame, AnEmptyFrameIsRefused) {
  EXPECT_FALSE(decode_client_frame("", Protocol::kBinary));
  EXPECT_FALSE(decode_client_frame("{}", Protocol::kJson));
}

TEST(ClientFrame, AMoveWithoutVersionHasNone) {
  const auto frame = decode_client_frame(R"({"move":{"moveId":"x"}})", Protocol::kJson);
  ASSERT_TRUE(frame);
  EXPECT_EQ(std::get<Move>(*frame).at_version, std::nullopt);
  EXPECT_EQ(std::get<Move>(*frame).type, "");
}

TEST(ClientFrame, AnUnknownJsonFieldIsNamed) {
  const auto frame = decode_client_frame(R"({"hello":{"tokken":"x"}})", Protocol::kJson);
  ASSERT_FALSE(frame);
  EXPECT_THAT(frame.error().message, HasSubstr("tokken"));
}

TEST(ClientFrame, BrokenJsonIsRefusedInOneLine) {
  for (const std::string_view json : {"{", "[]", R"({"hello":{"token":"\u00e9)", "{\"é\":\nx}"}) {
    const auto frame = decode_client_frame(json, Protocol::kJson);
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error().message.find('\n'), std::string::npos) << frame.error().message;
  }
}

TEST(ClientFrame, AnAnyOfAnUnknownTypeIsRefusedInJson) {
  EXPECT_FALSE(decode_client_frame(
      R"({"move":{"body":{"@type":"type.googleapis.com/no.such.Type"}}})", Protocol::kJson));
}

TEST(ServerFrame, JsonAndBinarySayTheSame) {
  const auto frame = refusal_frame("m1", Reason::kStale, "too \"late\"", Version{9});
  play::v1::ServerFrame from_json;
  ASSERT_TRUE(
      google::protobuf::util::JsonStringToMessage(frame->bytes(Protocol::kJson), &from_json).ok());
  EXPECT_EQ(from_json.SerializeAsString(), frame->bytes(Protocol::kBinary));
  EXPECT_EQ(from_json.refusal().reason(), play::v1::REASON_STALE);
  EXPECT_EQ(from_json.refusal().version(), 9U);
}

TEST(ServerFrame, ARepeatedMoveCarriesTheEventUnchanged) {
  play::v1::ServerFrame original;
  original.mutable_event()->set_version(12);
  original.mutable_event()->set_move_id("m5");
  const auto repeated = read(*repeated_frame(Frame(original.SerializeAsString())));
  EXPECT_EQ(repeated.move_repeated().event().SerializeAsString(),
            original.event().SerializeAsString());
}

TEST(ServerFrame, AGoodbyeSaysWhetherToComeBack) {
  const auto bye = read(*goodbye_frame(Reason::kServerRestart, "soon", true, 500)).goodbye();
  EXPECT_EQ(bye.reason(), play::v1::REASON_SERVER_RESTART);
  EXPECT_TRUE(bye.reconnect());
  EXPECT_EQ(bye.reconnect_after_ms(), 500U);
}

TEST(ServerFrame, AHintTellsTheNextBestMovesToo) {
  google::protobuf::Any gain;
  gain.PackFrom(game::v1::Game2048Gain());
  const auto frame = hint_frame(
      {.hint_id = "h",
       .version = Version{3},
       .strategy = "expectimax",
       .move_type = "tesela.game.v1.Game2048Move",
       .move = "\x08\x03",
       .value = 20,
       .measure = "worth of the boards ahead",
       .gain = gain.SerializeAsString(),
       .alternatives = {{.move = "\x08\x01", .value = 19.5, .gain = gain.SerializeAsString()},
                        {.move = "\x08\x02", .value = 0, .gain = {}}}});
  const auto hint = read(*frame).hint();
  EXPECT_EQ(hint.value(), 20);
  ASSERT_EQ(hint.alternatives_size(), 2);
  game::v1::Game2048Move move;
  ASSERT_TRUE(hint.alternatives(0).move().UnpackTo(&move));
  EXPECT_EQ(move.direction(), game::v1::DIRECTION_LEFT);
  EXPECT_EQ(hint.alternatives(0).value(), 19.5);
  EXPECT_TRUE(hint.alternatives(0).gain().Is<game::v1::Game2048Gain>());
  EXPECT_EQ(hint.alternatives(1).value(), 0);
  EXPECT_FALSE(hint.alternatives(1).has_gain());
  EXPECT_THAT(frame->bytes(Protocol::kJson), HasSubstr("\"alternatives\""));
}

TEST(Reasons, AreNamedAsInTheProtocol) {
  for (int number = 1; number <= play::v1::Reason_MAX; ++number) {
    std::string name = play::v1::Reason_Name(static_cast<play::v1::Reason>(number)).substr(7);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    EXPECT_EQ(name_of(static_cast<Reason>(number)), name);
  }
}

TEST(MoveType, IsTheNameThatWasGiven) {
  const MoveType known = game::v1::Game2048Move::descriptor()->full_name();
  EXPECT_TRUE(known.known());
  EXPECT_EQ(known, "tesela.game.v1.Game2048Move");
  const MoveType other = std::string("tesela.game.v1.Game2048View");
  EXPECT_FALSE(other.known());
  EXPECT_EQ(other, "tesela.game.v1.Game2048View");
  EXPECT_FALSE(other == known.name());
  EXPECT_TRUE(MoveType().empty());
  EXPECT_TRUE(MoveType("").empty());
  EXPECT_FALSE(known.empty() || other.empty());
  for (const auto& game : games::all_games()) EXPECT_TRUE(MoveType(game.move_type).known());
}

}  // namespace
}  // namespace tesela::codec
