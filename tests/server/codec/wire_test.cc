// What is written and read without messages (base/wire_writer.h, wire_reader.h), against the
// generated classes: the same bytes, and the same values.
#include <google/protobuf/any.pb.h>
#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>
#include <tesela/game/v1/azul.pb.h>
#include <tesela/game/v1/g2048.pb.h>
#include <tesela/game/v1/g2248.pb.h>
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
#include "server/games/azul.h"
#include "server/games/clock.h"
#include "server/games/g2048.h"
#include "server/games/g2248.h"
#include "server/games/games.h"
#include "server/games/samegame.h"
#include "server/games/wire_parts.h"

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

/// `bytes`, as protobuf writes the message that it reads in them.
template <class Message>
std::string written_again(const std::string& bytes) {
  Message message;
  EXPECT_TRUE(message.ParseFromString(bytes));
  return message.SerializeAsString();
}

void expect_usual_body(const google::protobuf::Any& body) {
  const std::string type(body.type_url().substr(body.type_url().rfind('/') + 1));
  const auto* descriptor =
      google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(type);
  ASSERT_NE(descriptor, nullptr) << type;
  const std::unique_ptr<google::protobuf::Message> message{
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(descriptor)->New()};
  ASSERT_TRUE(message->ParseFromString(body.value()));
  EXPECT_EQ(message->SerializeAsString(), body.value()) << type;
}

void expect_usual(const games::Played& played) {
  EXPECT_EQ(written_again<play::v1::ServerFrame>(played.frame), played.frame);
  play::v1::ServerFrame frame;
  ASSERT_TRUE(frame.ParseFromString(played.frame));
  expect_usual_body(frame.event().body());
  ASSERT_EQ(frame.event().has_result(), played.result.has_value());
  if (played.result) {
    EXPECT_EQ(frame.event().result().SerializeAsString(), *played.result);
  }
}

void play_random_game(const games::GameEntry& game, const games::GameConfig& config,
                      std::uint8_t seed) {
  Random random{seed};
  const auto match = game.start(config.bytes, {seed}).value();
  const games::Clock clock({.move = std::chrono::seconds{5}, .game = std::chrono::minutes{1}},
                           config.seats);
  for (std::uint64_t version = 2; match->turn() && version < 400; ++version) {
    const Seat seat = *match->turn();
    const auto legal = match->bot_request(seat).legal_moves;
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

template <class Config>
void play_random_games(const char* name, const Config& config) {
  google::protobuf::Any any;
  any.PackFrom(config);
  const auto* game = games::find_game(name).value();
  const auto complete = game->configure(&any).value();
  for (std::uint8_t seed = 1; seed <= 5; ++seed) play_random_game(*game, complete, seed);
}

TEST(Wire, FramesOf2048AreAsProtobufWritesThem) {
  for (const std::uint32_t size : {2U, 4U, 8U}) {
    game::v1::Game2048Config config;
    config.set_size(size);
    play_random_games("2048", config);
  }
}

TEST(Wire, FramesOf2248AreAsProtobufWritesThem) {
  play_random_games("2248", game::v1::Game2248Config{});
}

TEST(Wire, FramesOfSameGameAreAsProtobufWritesThem) {
  play_random_games("samegame", game::v1::SameGameConfig{});
}

TEST(Wire, FramesOfAzulAreAsProtobufWritesThem) {
  for (const std::uint32_t players : {2U, 4U}) {
    game::v1::AzulConfig config;
    config.set_players(players);
    play_random_games("azul", config);
  }
}

/// Plays a random game, and compares its moves and events with their messages.
template <games::WireCodec Codec>
void expect_bytes_of_messages(const typename Codec::Game::Config& config, std::uint8_t seed) {
  using G = typename Codec::Game;
  constexpr std::size_t kLegalMax = 1000;  // more are not looked at
  constexpr int kMovesMax = 300;
  Random random{seed};
  Rng rng{Seed{seed}};
  base::WireWriter out;
  auto state = G::start(config, rng).value();
  for (int count = 0; count < kMovesMax && G::turn(state); ++count) {
    const Seat seat = *G::turn(state);
    std::vector<typename G::Move> legal;
    G::legal_moves(state, seat, [&legal](const typename G::Move& move) {
      legal.push_back(move);
      return legal.size() < kLegalMax;
    });
    const auto move = legal[below(random, legal.size())];
    std::vector<typename G::Stage> stages;
    state = G::apply(state, seat, move, rng, CollectStages{stages}).value();
    typename Codec::EventMessage event;
    Codec::write(move, stages, state, event);
    out.clear();
    games::write_event<Codec>(move, stages, state, out);
    ASSERT_EQ(out.written(), event.SerializeAsString()) << "seed " << int{seed};
    out.clear();
    Codec::write(move, out);
    ASSERT_EQ(out.written(), event.move().SerializeAsString());
  }
}

std::uint8_t some_byte(Random& random, std::uint8_t least, std::uint8_t most) {
  return static_cast<std::uint8_t>(least + below(random, most - least + std::size_t{1}));
}

TEST(Wire, EventsOf2048HaveTheBytesOfTheirMessages) {
  Random random{3};
  for (std::uint8_t seed = 0; seed < 30; ++seed) {
    auto config = seed % 2 == 0 ? g2048::Config::classic() : g2048::Config::amat();
    config.size = some_byte(random, g2048::kSizeMin, g2048::kSizeMax);
    expect_bytes_of_messages<games::G2048Codec>(config, seed);
  }
}

TEST(Wire, EventsOf2248HaveTheBytesOfTheirMessages) {
  Random random{4};
  for (std::uint8_t seed = 0; seed < 20; ++seed) {
    const g2248::Config config{.rows = some_byte(random, g2248::kRowsMin, g2248::kRowsMax),
                               .columns = some_byte(random, g2248::kColumnsMin, g2248::kColumnsMax),
                               .goal = 1 + some_number(random) % g2248::kGoalMax};
    expect_bytes_of_messages<games::G2248Codec>(config, seed);
  }
}

TEST(Wire, EventsOfSameGameHaveTheBytesOfTheirMessages) {
  using samegame::Penalty;
  Random random{5};
  for (std::uint8_t seed = 0; seed < 20; ++seed) {
    const samegame::Setting setting{
        .rows = some_byte(random, samegame::kSideMin, samegame::kSideMax),
        .columns = some_byte(random, samegame::kSideMin, samegame::kSideMax),
        .colours = some_byte(random, samegame::kColoursMin, samegame::kColoursMax),
        .penalty = std::array{Penalty::kPerColour, Penalty::kRemaining, Penalty::kNone}.at(
            below(random, 3))};
    expect_bytes_of_messages<games::SameGameCodec>({.setting = setting}, seed);
  }
}

TEST(Wire, EventsOfAzulHaveTheBytesOfTheirMessages) {
  for (std::uint8_t seed = 0; seed < 30; ++seed) {
    const azul::Config config{
        .players = static_cast<std::uint8_t>(2 + seed % 3),
        .untiled_rounds_max = seed % 2 == 0 ? azul::kUntiledRoundsMax : std::uint8_t{0}};
    expect_bytes_of_messages<games::AzulCodec>(config, seed);
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
  for (int i = 0; i < 200'000 && !testing::Test::HasFailure(); ++i) {
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
