#include "server/games/games.h"

#include <google/protobuf/any.pb.h>

#include <algorithm>

#include "server/games/any.h"
#include "server/games/azul.h"
#include "server/games/g2048.h"
#include "server/games/g2248.h"
#include "server/games/match_of.h"
#include "server/games/samegame.h"

namespace tesela::games {
namespace {

template <GameCodec Codec>
Expected<GameConfig> configure(const google::protobuf::Any* any) {
  typename Codec::ConfigMessage message;
  if (any != nullptr && !any->UnpackTo(&message)) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The configuration of " + std::string(Codec::Game::kName) + " must be a " +
                      std::string(Codec::ConfigMessage::descriptor()->full_name()) + ", not a " +
                      std::string(type_of(*any)) + ".");
  }
  const auto config = Codec::read(message);
  if (!config) return std::unexpected(config.error());
  message.Clear();
  Codec::write(*config, message);
  google::protobuf::Any packed;
  packed.PackFrom(message);
  return GameConfig{.bytes = message.SerializeAsString(),
                    .any = packed.SerializeAsString(),
                    .seats = Codec::Game::seats(*config)};
}

/// `GameConfig::bytes`, as a message. A game that has got a rule since, by a field of its
/// configuration, reads what it has written before otherwise than what begins now.
template <GameCodec Codec>
auto read_written(const typename Codec::ConfigMessage& message) {
  if constexpr (requires { Codec::read_written(message); }) {
    return Codec::read_written(message);
  } else {
    return Codec::read(message);
  }
}

template <GameCodec Codec>
Expected<std::unique_ptr<Match>> start(std::string_view bytes,
                                       const std::array<std::uint8_t, 32>& seed) {
  typename Codec::ConfigMessage message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return refuse(ErrorCode::kCorrupt, "The log holds a configuration that cannot be read.");
  }
  const auto config = read_written<Codec>(message);
  if (!config) return std::unexpected(config.error());
  Rng rng(seed);
  const auto state = Codec::Game::start(*config, rng);
  if (!state) return std::unexpected(state.error());
  return std::make_unique<MatchOf<Codec>>(*state, rng.place());
}

template <GameCodec Codec>
GameEntry entry() {
  return {Codec::Game::kName, Codec::MoveMessage::descriptor()->full_name(), &configure<Codec>,
          &start<Codec>};
}

const auto& games() {
  // A new game is a line here.
  static const std::array kGames = {
      entry<G2048Codec>(),
      entry<G2248Codec>(),
      entry<SameGameCodec>(),
      entry<AzulCodec>(),
  };
  return kGames;
}

}  // namespace

Expected<const GameEntry*> find_game(std::string_view name) {
  const auto* found = std::ranges::find(games(), name, &GameEntry::name);
  if (found != games().end()) return found;
  std::string known;
  for (const auto& game : games()) {
    known += (known.empty() ? "" : ", ") + std::string(game.name);
  }
  return refuse(ErrorCode::kInvalidArgument,
                "There is no game '" + std::string(name) + "'. Known games: " + known + ".");
}

Expected<std::string> config_inside(std::string_view any) {
  google::protobuf::Any config;
  if (!config.ParseFromArray(any.data(), static_cast<int>(any.size()))) {
    return refuse(ErrorCode::kCorrupt, "The table's configuration cannot be read.");
  }
  return std::move(*config.mutable_value());
}

}  // namespace tesela::games
