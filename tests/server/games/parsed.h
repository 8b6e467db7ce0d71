// What a codec writes, as messages. Protobuf is the oracle of the bytes.
#pragma once

#include <google/protobuf/message.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/base/wire_writer.h"
#include "server/games/game_codec.h"

namespace tesela::test {

/// Expects that `bytes` are what protobuf writes for the message that it reads in them.
inline void expect_usual(google::protobuf::Message& message, const std::string& bytes) {
  EXPECT_TRUE(message.ParseFromString(bytes));
  message.DiscardUnknownFields();
  EXPECT_EQ(message.SerializeAsString(), bytes) << message.GetTypeName();
}

/// The message in `bytes`, which are those that protobuf writes for it.
template <class Message>
Message parsed(const std::string& bytes) {
  Message message;
  expect_usual(message, bytes);
  return message;
}

template <games::GameCodec Codec>
typename Codec::MoveMessage move_of(const typename Codec::Game::Move& move) {
  return parsed<typename Codec::MoveMessage>(games::encoded<Codec>(move));
}

template <games::GameCodec Codec>
typename Codec::ViewMessage view_of(const typename Codec::Game::State& state) {
  return parsed<typename Codec::ViewMessage>(games::encoded<Codec>(state));
}

template <games::GameCodec Codec>
typename Codec::EventMessage event_of(const typename Codec::Game::Move& move,
                                      const std::vector<typename Codec::Game::Stage>& stages,
                                      const typename Codec::Game::State& after) {
  base::WireWriter out;
  games::write_event<Codec>(move, stages, after, out);
  return parsed<typename Codec::EventMessage>(out.take());
}

}  // namespace tesela::test
