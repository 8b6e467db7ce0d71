// Makes the entry of a game in the list (games.h). Included only by the sources of the codecs: that
// of ChessCodec ends with
//
//   template GameEntry make_entry<ChessCodec>();
#pragma once

#include <google/protobuf/any.pb.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/core/rng.h"
#include "engine/strategy/registry.h"
#include "server/games/codec_parts.h"
#include "server/games/games.h"
#include "server/games/match_of.h"

namespace tesela::games {

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

/// Decodes `GameConfig::bytes`. A codec with `read_written` reads stored configurations with it,
/// because a later rule must not apply to games that began before it.
template <GameCodec Codec>
auto read_written(const typename Codec::ConfigMessage& message) {
  if constexpr (requires { Codec::read_written(message); }) {
    return Codec::read_written(message);
  } else {
    return Codec::read(message);
  }
}

template <GameCodec Codec>
Expected<typename Codec::Game::Config> config_of(std::string_view bytes) {
  typename Codec::ConfigMessage message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return refuse(ErrorCode::kCorrupt, "The log holds a configuration that cannot be read.");
  }
  return read_written<Codec>(message);
}

template <GameCodec Codec>
Expected<std::unique_ptr<Match>> start(std::string_view bytes,
                                       const std::array<std::uint8_t, 32>& seed) {
  const auto config = config_of<Codec>(bytes);
  if (!config) return std::unexpected(config.error());
  Rng rng(seed);
  const auto state = Codec::Game::start(*config, rng);
  if (!state) return std::unexpected(state.error());
  return std::make_unique<MatchOf<Codec>>(*state, rng.place());
}

template <GameCodec Codec>
Expected<std::unique_ptr<Match>> restore(std::string_view bytes,
                                         const std::array<std::uint8_t, 32>& seed,
                                         std::string_view saved) {
  const auto config = config_of<Codec>(bytes);
  if (!config) return std::unexpected(config.error());
  return MatchOf<Codec>::restore(*config, seed, saved);
}

template <class Codec>
GameEntry make_entry() {
  GameEntry entry{.name = Codec::Game::kName,
                  .move_type = Codec::MoveMessage::descriptor()->full_name(),
                  .configure = &configure<Codec>,
                  .start = &start<Codec>,
                  .restore = &restore<Codec>,
                  .strategies = &listed_strategies<typename Codec::Game>};
  if constexpr (requires { Codec::kEventCost; }) entry.event_cost = Codec::kEventCost;
  if constexpr (requires { Codec::kNotCovered; }) entry.not_covered = Codec::kNotCovered;
  return entry;
}

}  // namespace tesela::games
