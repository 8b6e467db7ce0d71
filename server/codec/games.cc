#include "server/codec/games.h"

#include <google/protobuf/any.pb.h>

#include <algorithm>

#include "server/codec/azul.h"
#include "server/codec/g2048.h"
#include "server/codec/g2248.h"
#include "server/codec/match_of.h"
#include "server/codec/samegame.h"

namespace tesela::codec {
namespace {

template <GameCodec Codec>
Expected<GameConfig> configure(const google::protobuf::Any* any) {
  typename Codec::ConfigMessage message;
  if (any != nullptr && !any->UnpackTo(&message)) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The configuration of " + std::string(Codec::Game::kName) + " must be a " +
                      std::string(Codec::ConfigMessage::descriptor()->full_name()) + ", not a " +
                      any->type_url().substr(any->type_url().rfind('/') + 1) + ".");
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

template <GameCodec Codec>
Expected<std::unique_ptr<table::Match>> start(std::string_view bytes,
                                              const std::array<std::uint8_t, 32>& seed) {
  typename Codec::ConfigMessage message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return refuse(ErrorCode::kCorrupt, "The log holds a configuration that cannot be read.");
  }
  const auto config = Codec::read(message);
  if (!config) return std::unexpected(config.error());
  Rng rng(seed);
  const auto state = Codec::Game::start(*config, rng);
  if (!state) return std::unexpected(state.error());
  return std::make_unique<MatchOf<Codec>>(*state, rng);
}

template <GameCodec Codec>
constexpr GameEntry entry() {
  return {Codec::Game::kName, &configure<Codec>, &start<Codec>};
}

// A new game is a line here.
constexpr std::array kGames = {
    entry<G2048Codec>(),
    entry<G2248Codec>(),
    entry<SameGameCodec>(),
    entry<AzulCodec>(),
};

}  // namespace

Expected<const GameEntry*> find_game(std::string_view name) {
  const auto* found = std::ranges::find(kGames, name, &GameEntry::name);
  if (found != kGames.end()) return found;
  std::string known;
  for (const auto& game : kGames) {
    known += (known.empty() ? "" : ", ") + std::string(game.name);
  }
  return refuse(ErrorCode::kInvalidArgument,
                "There is no game '" + std::string(name) + "'. Known games: " + known + ".");
}

}  // namespace tesela::codec
