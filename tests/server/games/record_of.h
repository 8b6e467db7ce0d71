// Whole games as the records that tests/verify/README.md describes, played by the server's rules
// and written by its codecs.
#pragma once

#include <google/protobuf/any.pb.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <functional>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/result.h"
#include "engine/core/rng.h"
#include "server/games/codec_parts.h"
#include "server/games/fair.h"
#include "server/games/games.h"
#include "server/games/match_of.h"
#include "tests/engine/seeds.h"
#include "tests/server/games/hex.h"

namespace tesela::test {

/// What a record is made of.
template <games::GameCodec Codec>
struct Recorded {
  using Game = typename Codec::Game;

  typename Codec::ConfigMessage config{};
  /// The configuration is as a server has written it before, and nothing is filled in.
  bool from_before{};
  std::vector<games::Contribution> contributions{};
  std::size_t moves_max{};
  /// The move of the seat on turn. Empty: the strategy `random`.
  std::function<typename Game::Move(const typename Game::State&, Seat, Rng&)> choose{};
};

/// Plays one game and writes down what a record holds.
template <games::GameCodec Codec>
class RecordWriter {
 public:
  using Game = typename Codec::Game;
  using State = typename Game::State;

  RecordWriter(std::uint64_t number, const Recorded<Codec>& game)
      : game_(game), server_seed_(seed_of(number)), choices_(seed_of(~number)) {}

  /// The record, an event a line.
  [[nodiscard]] std::string write() {
    nlohmann::ordered_json record = head();
    std::vector<std::string> events = play();
    if (ranks_) record["ranks"] = *ranks_;
    std::ostringstream out;
    const std::string fields = record.dump(1);
    out << fields.substr(0, fields.rfind('\n')) << ",\n \"events\": [\n";
    for (std::size_t i = 0; i < events.size(); ++i) {
      out << "  " << events[i] << (i + 1 < events.size() ? ",\n" : "\n");
    }
    out << " ]\n}\n";
    return out.str();
  }

 private:
  // Everything but the events.
  nlohmann::ordered_json head() {
    const games::GameConfig config = written_config();
    nlohmann::ordered_json contributions = nlohmann::ordered_json::array();
    for (const games::Contribution& added : game_.contributions) {
      contributions.push_back({{"seat", added.seat.value}, {"bytes", hex(added.bytes)}});
    }
    const auto commitment = games::commitment(
        server_seed_, {.game = Game::kName, .config = config.bytes, .seats = config.seats});
    return {{"game", Game::kName},
            {"config", hex(config.bytes)},
            {"seats", config.seats},
            {"commitment", hex(commitment)},
            {"serverSeed", hex(server_seed_)},
            {"contributions", contributions}};
  }

  games::GameConfig written_config() const {
    if (game_.from_before) {
      return {.bytes = game_.config.SerializeAsString(),
              .any = {},
              .seats = Game::seats(config().value())};
    }
    google::protobuf::Any any;
    any.PackFrom(game_.config);
    return games::find_game(Game::kName).value()->configure(&any).value();
  }

  Expected<typename Game::Config> config() const {
    if constexpr (requires { Codec::read_written(game_.config); }) {
      if (game_.from_before) return Codec::read_written(game_.config);
    }
    return Codec::read(game_.config);
  }

  std::vector<std::string> play() {
    Rng rng{games::game_seed(server_seed_, game_.contributions).value()};
    State state = Game::start(config().value(), rng).value();
    std::vector<std::string> events{event(1, {}, state)};
    for (std::uint64_t version = 2; version < 2 + game_.moves_max; ++version) {
      const std::optional<Seat> seat = Game::turn(state);
      if (!seat) break;
      const typename Game::Move move = game_.choose(state, *seat, choices_);
      state = Game::apply(state, *seat, move, rng, NoStages{}).value();
      events.push_back(event(version, {{"seat", seat->value}, {"move", move_of(move)}}, state));
    }
    if (const std::optional<Result> result = Game::result(state)) {
      ranks_.emplace();
      for (std::size_t i = 0; i < result->seats; ++i) {
        ranks_->push_back(result->standings[i].rank);
      }
    }
    return events;
  }

  std::string event(std::uint64_t version, const nlohmann::ordered_json& move,
                    const State& state) const {
    games::Fnv digest;
    Codec::canonical(state, digest);
    nlohmann::ordered_json event{{"version", version}};
    if (!move.is_null()) event.update(move);
    const Result standings = Game::standings(state);
    event["scores"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < standings.seats; ++i) {
      event["scores"].push_back(standings.standings[i].points);
    }
    std::ostringstream digits;
    digits << std::hex << std::setfill('0') << std::setw(16) << digest.value();
    event["digest"] = digits.str();
    return event.dump();
  }

  static nlohmann::ordered_json move_of(const typename Game::Move& move) {
    typename Codec::MoveMessage message;
    EXPECT_TRUE(message.ParseFromString(games::encoded<Codec>(move)));
    std::string text;
    EXPECT_TRUE(google::protobuf::util::MessageToJsonString(message, &text).ok());
    return nlohmann::ordered_json::parse(text);
  }

  Recorded<Codec> game_;
  Seed server_seed_;
  Rng choices_;
  std::optional<std::vector<unsigned>> ranks_;
};

}  // namespace tesela::test
