// A game from bytes, by its codec: a configuration, a move, or a whole game. Compiled for each
// game.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/rng.h"
#include "server/base/bytes.h"
#include "server/base/wire_writer.h"
#include "server/games/game_codec.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/refusal.h"
#include TESELA_CODEC_HEADER

namespace tesela::fuzz {
namespace {

/// A byte below plays a legal move, any other tries the message that follows.
constexpr std::uint8_t kLegalMoves = 192;
/// More legal moves are not listed.
constexpr std::size_t kListedMax = 200;

template <class Message>
bool parse(std::string_view bytes, Message& message) {
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

/// Any message gives a value or a sentence, and what was read is written and read as the same.
template <class Value, class Codec, class Message>
void check_read(const Message& in) {
  const Expected<Value> value = Codec::read(in);
  if (!value) {
    require(value.error().code == ErrorCode::kInvalidArgument && !value.error().message.empty());
    return;
  }
  Message out;
  if constexpr (requires { Codec::write(*value, out); }) {
    Codec::write(*value, out);
  } else {
    require(out.ParseFromString(games::encoded<Codec>(*value)));
  }
  require(Codec::read(out) == value);
}

template <games::GameCodec Codec>
class FuzzedGame {
 public:
  /// What the rest of the input is: the first byte chooses it.
  static void read_anything(Input input) {
    const std::uint8_t kind = input.next() % 3;
    if (kind == 1) {
      if (MoveMessage message; parse(input.rest(), message)) check_read<Move, Codec>(message);
      return;
    }
    ConfigMessage message;
    if (!parse(kind == 0 ? input.rest() : input.text(input.next()), message)) return;
    check_read<Config, Codec>(message);
    if (const auto config = Codec::read(message)) FuzzedGame{*config, input}.play(input);
  }

 private:
  using ConfigMessage = typename Codec::ConfigMessage;
  using MoveMessage = typename Codec::MoveMessage;
  using Game = typename Codec::Game;
  using Config = typename Game::Config;
  using State = typename Game::State;
  using Move = typename Game::Move;

  /// A configuration that is read starts a game.
  FuzzedGame(const Config& config, Input& input)
      : config_(config), rng_(seed_of(input)), state_(Game::start(config, rng_).value()) {}

  static Seed seed_of(Input& input) {
    Seed seed{};
    for (std::uint8_t& byte : seed) byte = input.next();
    return seed;
  }

  void play(Input& input) {
    check_position();
    while (!input.empty()) {
      const std::uint8_t byte = input.next();
      const std::vector<Move> legal = listed();
      if (byte < kLegalMoves && !legal.empty()) {
        try_move(*Game::turn(state_), legal[byte % legal.size()], legal);
        continue;
      }
      MoveMessage message;
      if (!parse(input.text(input.next()), message)) continue;
      check_read<Move, Codec>(message);
      const Seat seat{static_cast<std::uint8_t>(byte % (kSeatsMax + 1))};
      if (const auto move = Codec::read(message)) try_move(seat, *move, legal);
    }
  }

  /// The legal moves of the seat on turn, or the first of them.
  std::vector<Move> listed() const {
    const auto turn = Game::turn(state_);
    std::vector<Move> legal;
    Game::legal_moves(state_, turn.value_or(Seat{}), [&](const Move& move) {
      legal.push_back(move);
      return legal.size() < kListedMax;
    });
    require(turn.has_value() == !legal.empty());
    require(Game::result(state_).has_value() == legal.empty());
    return legal;
  }

  /// Accepted if it is legal, and refused without a trace if it is not.
  void try_move(Seat seat, const Move& move, const std::vector<Move>& legal) {
    Rng untold_rng = rng_;
    const auto untold = Game::apply(state_, seat, move, untold_rng, NoStages{});
    const bool found = std::ranges::find(legal, move) != legal.end();
    if (legal.size() < kListedMax || found) {
      require(untold.has_value() == (found && Game::turn(state_) == seat));
    }
    if (!untold) {
      check_refusal<Game>(state_, seat, move, rng_);
      return;
    }
    std::vector<typename Game::Stage> stages;
    const State after = Game::apply(state_, seat, move, rng_, CollectStages{stages}).value();
    require(after == *untold && rng_ == untold_rng && !stages.empty());
    for (const auto& stage : stages) {
      base::WireWriter out;
      Codec::write(stage, after, out);
    }
    state_ = after;
    check_position();
  }

  /// It has a view, and is read back from its bytes.
  void check_position() const {
    typename Codec::ViewMessage view;
    require(view.ParseFromString(games::encoded<Codec>(state_)));
    base::ByteWriter written;
    Codec::canonical(state_, written);
    base::ByteReader saved(written.bytes());
    const auto restored = Codec::read_canonical(config_, saved);
    require(restored.has_value() && saved.whole());
    base::ByteWriter again;
    Codec::canonical(*restored, again);
    require(again.bytes() == written.bytes());
  }

  Config config_;
  Rng rng_;
  State state_;
};

}  // namespace
}  // namespace tesela::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tesela::fuzz::FuzzedGame<tesela::games::TESELA_CODEC>::read_anything({data, size});
  return 0;
}
