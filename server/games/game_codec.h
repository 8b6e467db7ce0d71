// The requirements of a game's codec, for matches of the game (match_of.h), and what all codecs
// write alike.
#pragma once

#include <google/protobuf/any.pb.h>
#include <tesela/game/v1/grid.pb.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/grid.h"
#include "engine/core/result.h"
#include "server/base/bytes.h"
#include "server/base/wire_writer.h"
#include "server/games/codec_parts.h"

namespace tesela::games {

/// The codec of a game: its messages, and the conversion between values and messages. A
/// configuration is written into an empty message; moves, positions and stages are written as the
/// fields of their messages, in descending order, for WireWriter. `after` is the position after the
/// last stage. An event consists of its move, stages and view. `canonical` gives the canonical
/// bytes of a state (the rules list them) to a hash or a writer, and `read_canonical` reads them
/// back; kCorrupt for bytes that are no state of such a game.
template <class C>
concept GameCodec =
    Game<typename C::Game> &&
    requires(const typename C::ConfigMessage& config_in, typename C::ConfigMessage& config_out,
             const typename C::MoveMessage& move_in, const typename C::Game::Config& config,
             const typename C::Game::State& after, const typename C::Game::Move& move,
             const typename C::Game::Stage& stage, base::WireWriter& out, Fnv& digest,
             base::ByteWriter& bytes, base::ByteReader& saved) {
      typename C::ViewMessage;
      typename C::EventMessage;
      { C::read(config_in) } -> std::same_as<Expected<typename C::Game::Config>>;
      C::write(config, config_out);
      { C::read(move_in) } -> std::same_as<Expected<typename C::Game::Move>>;
      C::write(move, out);
      C::write(after, out);
      C::write(stage, after, out);
      C::canonical(after, digest);
      C::canonical(after, bytes);
      { C::read_canonical(config, saved) } -> std::same_as<Expected<typename C::Game::State>>;
    };

/// A codec that also reads moves that are encoded as usual (WireReader) without messages. Empty for
/// every other one: protobuf's parser and `read` read that, or say what is wrong.
template <class C>
concept UsualMoveCodec = GameCodec<C> && requires(std::string_view bytes) {
  { C::read_usual(bytes) } -> std::same_as<std::optional<typename C::Game::Move>>;
};

/// The codec of a game on a grid that also clients without a renderer for the game can show: it
/// writes positions and stages as GridView and GridStage, and tells the cell that a move chooses.
/// The legal moves are added here.
template <class C>
concept GridCodec = GameCodec<C> && requires(const typename C::Game::State& state,
                                             const typename C::Game::Stage& stage,
                                             const typename C::Game::Move& move,
                                             game::v1::GridView& view, game::v1::GridStage& shown) {
  C::write(state, view);
  C::write(stage, shown);
  { C::cell_of(move) } -> std::convertible_to<std::uint32_t>;
};

/// Writes the motions of a stage, whose field of messages Motion has this number.
inline void write_motions(std::uint32_t field, std::span<const Motion> motions,
                          base::WireWriter& out) {
  using Message = game::v1::Motion;
  static_assert(Message::kFromFieldNumber == 1 && Message::kToFieldNumber == 2 &&
                Message::kMergedFieldNumber == 3);
  constexpr std::uint16_t kSmall = 128;
  for (const auto& motion : std::views::reverse(motions)) {
    if (motion.from < kSmall && motion.to < kSmall) {
      out.small_message(field, std::array{static_cast<std::uint8_t>(motion.from),
                                          static_cast<std::uint8_t>(motion.to),
                                          static_cast<std::uint8_t>(motion.merged ? 1 : 0)});
      continue;
    }
    const auto end = out.mark();
    out.number(Message::kMergedFieldNumber, motion.merged ? 1 : 0);
    out.number(Message::kToFieldNumber, motion.to);
    out.number(Message::kFromFieldNumber, motion.from);
    out.message(field, end);
  }
}

/// Writes the fields of an event: its move, its stages, and the position `after` them.
template <GameCodec Codec>
void write_event(const typename Codec::Game::Move& move,
                 const std::vector<typename Codec::Game::Stage>& stages,
                 const typename Codec::Game::State& after, base::WireWriter& out) {
  using Message = typename Codec::EventMessage;
  auto end = out.mark();
  Codec::write(after, out);
  out.message(Message::kViewFieldNumber, end);
  for (const auto& stage : std::views::reverse(stages)) {
    end = out.mark();
    Codec::write(stage, after, out);
    out.message(Message::kStagesFieldNumber, end);
  }
  end = out.mark();
  Codec::write(move, out);
  out.message(Message::kMoveFieldNumber, end);
}

/// The type URL of an Any with a Message.
template <class Message>
const std::string& url_of() {
  static const std::string kUrl = type_url_of(Message::descriptor()->full_name());
  return kUrl;
}

/// Writes the fields of an Any with a Message, whose fields `write_fields` writes.
template <class Message, class WriteFields>
void write_any(base::WireWriter& out, const WriteFields& write_fields) {
  using google::protobuf::Any;
  const auto end = out.mark();
  write_fields(out);
  if (out.mark() != end) out.message(Any::kValueFieldNumber, end);
  out.bytes(Any::kTypeUrlFieldNumber, url_of<Message>());
}

/// The bytes of a move or a position.
template <GameCodec Codec, class Value>
std::string encoded(const Value& value) {
  thread_local base::WireWriter out;
  out.clear();
  Codec::write(value, out);
  return out.take();
}

}  // namespace tesela::games
