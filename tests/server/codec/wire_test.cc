// What is written and read without messages (base/wire_writer.h, wire_reader.h), against the
// generated classes: the same bytes, and the same values.
#include <google/protobuf/any.pb.h>
#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>
#include <tesela/game/v1/samegame.pb.h>
#include <tesela/log/v1/record.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/base/text_encoding.h"
#include "server/base/wire_writer.h"
#include "server/codec/frame.h"
#include "server/codec/record.h"
#include "server/games/clock.h"
#include "server/games/games.h"
#include "tests/server/games/game_configs.h"
#include "tests/server/games/parsed.h"

namespace tesela::codec {
namespace wire_test {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) {
  return std::uniform_int_distribution<std::size_t>{0, end - 1}(random);
}

std::string some_text(Random& random, std::size_t bytes_max) {
  std::string text(below(random, bytes_max + 1), ' ');
  for (char& one : text) one = static_cast<char>('a' + below(random, 26));
  return text;
}

/// Numbers of every length as a varint.
std::uint64_t some_number(Random& random) {
  return random() >> below(random, 64);
}

void expect_usual(const google::protobuf::Any& body) {
  const std::string type(body.type_url().substr(body.type_url().rfind('/') + 1));
  const auto* descriptor =
      google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(type);
  ASSERT_NE(descriptor, nullptr) << type;
  const std::unique_ptr<google::protobuf::Message> message{
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(descriptor)->New()};
  test::expect_usual(*message, body.value());
}

void expect_usual(const games::Played& played) {
  const auto frame = test::parsed<play::v1::ServerFrame>(played.frame);
  expect_usual(frame.event().body());
  ASSERT_EQ(frame.event().has_result(), played.result.has_value());
  if (played.result) {
    EXPECT_EQ(frame.event().result().SerializeAsString(), *played.result);
  }
}

void expect_usual_snapshot(const games::Match& match, const games::Clock& clock,
                           const std::string& view) {
  const auto frame = test::parsed<play::v1::ServerFrame>(match.snapshot(
      Version{7}, 1'800'000'000'000, clock, base::Moment::logged(1'800'000'000'500)));
  EXPECT_EQ(frame.snapshot().view().SerializeAsString(), view);
}

void play_random_game(const games::GameEntry& game, const games::GameConfig& config) {
  Random random{1};
  const auto match = game.start(config.bytes, {1}).value();
  const games::Clock clock({.move = std::chrono::seconds{5}, .game = std::chrono::minutes{1}},
                           config.seats);
  for (std::uint64_t version = 2; match->turn() && version < 80; ++version) {
    const Seat seat = *match->turn();
    const games::BotRequest request = match->bot_request(seat);
    const auto& legal = request.legal_moves;
    expect_usual(test::parsed<google::protobuf::Any>(request.view));
    expect_usual_snapshot(*match, clock, request.view);
    Rng dice{Seed{1}};
    const auto advice = match->search_task("random", seat, {}).value()(dice, {.nodes = 1});
    expect_usual(test::parsed<google::protobuf::Any>(advice.gain));
    const std::string move_id = some_text(random, 40);
    const games::Stamp stamp{
        .version = Version{version * version * version},
        .at = base::Moment::logged(static_cast<std::int64_t>(some_number(random))),
        .seat = seat,
        .move_id = move_id,
        .strategy = version % 3 == 0 ? "greedy" : "",
        .timed_out = version % 5 == 0,
        .clock = version % 2 == 0 ? &clock : nullptr};
    const auto& move = legal[below(random, legal.size())];
    const auto resigned = match->resign(stamp, games::Want::kFrame);
    ASSERT_TRUE(resigned);
    expect_usual(*resigned);
    const auto earlier = match->copy();
    const auto played = match->play(stamp, move, games::Want::kFrame);
    ASSERT_TRUE(played) << played.error().message;
    EXPECT_EQ(played->move, move);
    expect_usual(*played);
    match->commit();
    if (!match->turn()) break;
    const auto undone = match->go_back(stamp, Version{version}, *earlier, games::Want::kFrame);
    ASSERT_TRUE(undone);
    expect_usual(*undone);
  }
}

TEST(Wire, FramesOfEveryGameAreAsProtobufWritesThem) {
  for (const test::ConfiguredGame& each : test::all_configured()) {
    SCOPED_TRACE(each.name);
    play_random_game(*each.game, each.config);
  }
}

log::v1::Record message_of(const Record& record) {
  log::v1::Record message;
  message.set_at_ms(record.at_ms);
  message.set_state_digest(record.digest);
  if (const auto* created = std::get_if<Created>(&record.event)) {
    message.mutable_created()->set_game(created->game);
    message.mutable_created()->set_config(created->config);
    message.mutable_created()->set_seed(created->seed.data(), created->seed.size());
    message.mutable_created()->set_seats(created->seats);
  } else if (const auto* moved = std::get_if<Moved>(&record.event)) {
    message.mutable_moved()->set_seat(moved->seat.value);
    message.mutable_moved()->set_move_id(moved->move_id);
    message.mutable_moved()->set_move(moved->move);
    message.mutable_moved()->set_strategy(moved->strategy);
    message.mutable_moved()->set_spent_ms(moved->spent_ms);
    message.mutable_moved()->set_timed_out(moved->timed_out);
  } else if (const auto* resigned = std::get_if<Resigned>(&record.event)) {
    message.mutable_resigned()->set_seat(resigned->seat.value);
    message.mutable_resigned()->set_move_id(resigned->move_id);
    if (resigned->claimed_by) {
      message.mutable_resigned()->set_claimed_by(resigned->claimed_by->value);
    }
  } else if (const auto* undone = std::get_if<Undone>(&record.event)) {
    message.mutable_undone()->set_move_id(undone->move_id);
    message.mutable_undone()->set_to_version(undone->to.value);
  }
  return message;
}

Event some_event(Random& random) {
  const Seat seat{static_cast<std::uint8_t>(below(random, 4))};
  switch (below(random, 4)) {
    case 0: {
      Created created{.game = some_text(random, 10),
                      .config = some_text(random, 300),
                      .seats = static_cast<std::uint8_t>(below(random, 5))};
      created.seed[below(random, 32)] = 7;
      return created;
    }
    case 1:
      return Moved{.seat = seat,
                   .move_id = some_text(random, 64),
                   .move = some_text(random, 9000),
                   .strategy = some_text(random, 3),
                   .spent_ms = static_cast<std::int64_t>(some_number(random) >> 1U),
                   .timed_out = below(random, 2) == 0};
    case 2: {
      Resigned resigned{.seat = seat, .move_id = some_text(random, 64)};
      if (below(random, 2) == 0)
        resigned.claimed_by = Seat{static_cast<std::uint8_t>(3 - seat.value)};
      return resigned;
    }
    default:
      return Undone{.move_id = some_text(random, 64), .to = Version{some_number(random)}};
  }
}

TEST(Wire, RecordsHaveTheBytesOfTheirMessages) {
  Random random{1};
  for (int i = 0; i < 5000; ++i) {
    const Record record{.at_ms = static_cast<std::int64_t>(some_number(random)),
                        .event = some_event(random),
                        .digest = i % 10 == 0 ? 0 : random()};
    ASSERT_EQ(encode(record), message_of(record).SerializeAsString());
  }
  const Record negative{.at_ms = -5, .event = Moved{}, .digest = 1};
  EXPECT_EQ(encode(negative), message_of(negative).SerializeAsString());
}

std::string some_frame(Random& random) {
  play::v1::ClientFrame frame;
  auto& move = *frame.mutable_move();
  move.set_move_id(some_text(random, 20));
  if (below(random, 2) == 0) move.set_at_version(some_number(random));
  if (below(random, 4) == 0) return frame.SerializeAsString();
  move.mutable_body()->set_type_url("type.googleapis.com/" + some_text(random, 20));
  move.mutable_body()->set_value(some_text(random, 8));
  return frame.SerializeAsString();
}

/// Texts that are UTF-8, and texts that are nearly.
constexpr std::array<std::string_view, 8> kTexts{
    "\u00fc",       "\u20ac",   "\U0001f600",  // of two, three and four bytes
    "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80", "\x80", "\xf0\x9f\x98"};

/// Changes, doubles, removes or inserts some bytes.
void disturb(std::string& bytes, Random& random) {
  for (std::size_t times = below(random, 3); times > 0 && !bytes.empty(); --times) {
    const std::size_t at = below(random, bytes.size());
    switch (below(random, 5)) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes.insert(at, 1, static_cast<char>(random()));
        break;
      case 2:
        bytes.erase(at, 1);
        break;
      case 3: {
        const std::string_view text = kTexts.at(below(random, kTexts.size()));
        bytes.replace(at, text.size(), text);
        break;
      }
      default:
        bytes += bytes.substr(at);  // protobuf merges messages that come twice
    }
  }
}

void expect_read_as_protobuf_does(const std::string& bytes) {
  const auto read = decode_client_frame(bytes, Protocol::kBinary);
  play::v1::ClientFrame frame;
  const auto* move = read ? std::get_if<Move>(&*read) : nullptr;
  if (move == nullptr) {
    // Text that is not UTF-8 is refused by protobuf too.
    EXPECT_FALSE(frame.ParseFromString(bytes) && frame.has_move());
    return;
  }
  ASSERT_TRUE(frame.ParseFromString(bytes) && frame.has_move());
  EXPECT_EQ(move->move_id, frame.move().move_id());
  EXPECT_EQ(move->at_version.has_value(), frame.move().has_at_version());
  EXPECT_EQ(move->at_version.value_or(Version{}).value, frame.move().at_version());
  const std::string& url = frame.move().body().type_url();
  EXPECT_EQ(move->type, url.substr(url.rfind('/') + 1));
  EXPECT_EQ(move->body, frame.move().body().value());
}

TEST(Wire, MovesAreReadAsProtobufReadsThem) {
  const google::protobuf::LogSilencer silent;  // protobuf logs text that is not UTF-8
  Random random{2};
  for (int i = 0; i < 20'000 && !testing::Test::HasFailure(); ++i) {
    std::string bytes = some_frame(random);
    disturb(bytes, random);
    expect_read_as_protobuf_does(bytes);
  }
}

TEST(Wire, EveryNumberHasTheBytesOfProtobuf) {
  base::WireWriter out;
  for (std::uint64_t bits = 0; bits <= 64; ++bits) {
    const std::uint64_t most =
        bits == 64 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << bits) - 1;
    for (const std::uint64_t value : {most, most + 1}) {
      play::v1::Ping ping;
      ping.set_nonce(value);
      out.clear();
      out.number(play::v1::Ping::kNonceFieldNumber, value);
      EXPECT_EQ(out.written(), ping.SerializeAsString()) << value;
      game::v1::SameGameView view;
      view.set_score(static_cast<std::int64_t>(value));
      out.clear();
      out.signed_number(game::v1::SameGameView::kScoreFieldNumber, view.score());
      EXPECT_EQ(out.written(), view.SerializeAsString()) << view.score();
    }
  }
}

}  // namespace wire_test
}  // namespace tesela::codec
