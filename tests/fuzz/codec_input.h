// A game's codec from bytes: what it reads of a configuration, and of a move.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/core/rng.h"
#include "server/games/match_of.h"
#include "tests/fuzz/input.h"

namespace tesela::fuzz {

/// Any message gives a value or a sentence, and what was read is written and read as the same.
template <class Value, class Codec, class Message>
void check_read(const Message& in) {
  const Expected<Value> value = Codec::read(in);
  if (!value) {
    require(value.error().code == ErrorCode::kInvalidArgument && !value.error().message.empty());
    return;
  }
  Message out;
  Codec::write(*value, out);
  require(Codec::read(out) == value);
}

/// A configuration that is read starts a game, which has a view.
template <games::GameCodec Codec>
void check_start(const typename Codec::ConfigMessage& in) {
  const auto config = Codec::read(in);
  if (!config) return;
  Rng rng{Seed{}};
  const auto state = Codec::Game::start(*config, rng);
  require(state.has_value());
  typename Codec::ViewMessage view;
  Codec::write(*state, view);
  require(view.IsInitialized());
}

/// The first byte chooses what the rest is: a configuration or a move.
template <games::GameCodec Codec>
void read_anything(Input input) {
  const bool config = input.next() % 2 == 0;
  const std::string_view bytes = input.rest();
  const int size = static_cast<int>(bytes.size());
  if (config) {
    typename Codec::ConfigMessage message;
    if (!message.ParseFromArray(bytes.data(), size)) return;
    check_read<typename Codec::Game::Config, Codec>(message);
    check_start<Codec>(message);
  } else {
    typename Codec::MoveMessage message;
    if (!message.ParseFromArray(bytes.data(), size)) return;
    check_read<typename Codec::Game::Move, Codec>(message);
  }
}

}  // namespace tesela::fuzz
