// The one implementation of table::Match, for every game that has a codec.
#pragma once

#include <google/protobuf/any.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/rng.h"
#include "engine/strategy/registry.h"
#include "server/codec/clocks.h"
#include "server/codec/digest.h"
#include "server/net/limits.h"
#include "server/table/match.h"

namespace tesela::codec {

/// What a codec of a game offers: the messages of the game, and how values become messages and
/// back.
template <class C>
concept GameCodec =
    Game<typename C::Game> &&
    requires(const typename C::ConfigMessage& config_in, typename C::ConfigMessage& config_out,
             const typename C::MoveMessage& move_in, typename C::MoveMessage& move_out,
             typename C::ViewMessage& view_out, typename C::EventMessage& event_out,
             const typename C::Game::Config& config, const typename C::Game::State& state,
             const typename C::Game::Move& move, const std::vector<typename C::Game::Stage>& stages,
             Fnv& digest) {
      { C::read(config_in) } -> std::same_as<Expected<typename C::Game::Config>>;
      C::write(config, config_out);
      { C::read(move_in) } -> std::same_as<Expected<typename C::Game::Move>>;
      C::write(move, move_out);
      C::write(state, view_out);
      C::write(move, stages, state, event_out);
      C::digest(state, digest);
    };

template <GameCodec Codec>
class MatchOf final : public table::Match {
 public:
  using G = typename Codec::Game;

  MatchOf(const typename G::State& state, const Rng& rng) : state_(state), rng_(rng) {}

  [[nodiscard]] std::string_view move_type() const override {
    return Codec::MoveMessage::descriptor()->full_name();
  }

  [[nodiscard]] Expected<table::Played> play(const table::Stamp& stamp, std::string_view move_bytes,
                                             table::Want want) override {
    typename Codec::MoveMessage message;
    if (!message.ParseFromArray(move_bytes.data(), static_cast<int>(move_bytes.size()))) {
      return refuse(ErrorCode::kInvalidArgument,
                    "This is not a move: expected an encoded " + std::string(move_type()) + ".");
    }
    const auto move = Codec::read(message);
    if (!move) return std::unexpected(move.error());

    Rng rng = rng_;
    std::vector<typename G::Stage> stages;
    if (want == table::Want::kFrame) stages.reserve(kStagesUsual);
    auto state = want == table::Want::kFrame
                     ? G::apply(state_, stamp.seat, *move, rng, CollectStages{stages})
                     : G::apply(state_, stamp.seat, *move, rng, NoStages{});
    if (!state) return std::unexpected(std::move(state.error()));
    pending_ = Pending{.state = *state, .drawn = rng.consumed() - rng_.consumed()};

    table::Played played{.move = {}, .frame = {}, .digest = digest_of(pending_->state)};
    message.Clear();
    Codec::write(*move, message);
    message.SerializeToString(&played.move);
    const auto result = G::result(pending_->state);
    if (result) {
      play::v1::Result out;
      write(*result, out);
      played.result = out.SerializeAsString();
      played.standings = result;
    }
    if (want == table::Want::kFrame) played.frame = event_frame(stamp, *move, stages, result);
    return played;
  }

  void commit() override {
    state_ = pending_->state;
    for (std::uint64_t word = 0; word < pending_->drawn; ++word) static_cast<void>(rng_.word());
    pending_.reset();
  }

  [[nodiscard]] std::string snapshot(Version version, std::int64_t at_ms, const table::Clock& clock,
                                     std::int64_t now_ms) const override {
    play::v1::ServerFrame frame;
    auto& out = *frame.mutable_snapshot();
    out.set_version(version.value);
    out.set_at_ms(at_ms);
    typename Codec::ViewMessage view;
    Codec::write(state_, view);
    pack(view, *out.mutable_view());
    write_standing(state_, G::result(state_), out);
    if (clock.on()) codec::write(clock, now_ms, turn(), *out.mutable_clocks());
    return frame.SerializeAsString();
  }

  [[nodiscard]] std::uint64_t digest() const override { return digest_of(state_); }
  [[nodiscard]] std::optional<Seat> turn() const override { return G::turn(state_); }

  [[nodiscard]] Expected<table::Think> think(std::string_view strategy, Seat seat) const override {
    for (const Registered<G>& registered : strategies<G>()) {
      if (registered.description.name == strategy) return ask(registered, seat);
    }
    return refuse(ErrorCode::kInvalidArgument, no_such_strategy(G::kName, strategy).message);
  }

  [[nodiscard]] table::Posed pose(Seat seat) const override {
    table::Posed posed{.seat = seat,
                       .view = {},
                       .move_type = std::string(move_type()),
                       .legal_moves = {},
                       .judge = judge(seat)};
    typename Codec::ViewMessage view;
    Codec::write(state_, view);
    google::protobuf::Any any;
    pack(view, any);
    posed.view = any.SerializeAsString();
    typename Codec::MoveMessage message;
    G::legal_moves(state_, seat, [&](const typename G::Move& move) {
      if (posed.legal_moves.size() == limits::kPosedMovesMax) return false;
      message.Clear();
      Codec::write(move, message);
      posed.legal_moves.push_back(message.SerializeAsString());
      return true;
    });
    return posed;
  }

 private:
  // More make the vector grow.
  static constexpr std::size_t kStagesUsual = 4;

  /// What a move makes of the position. The dice hold a kilobyte of words drawn in advance, so it
  /// is told how far they go on, not how they stand then.
  struct Pending {
    typename G::State state;
    std::uint64_t drawn;
  };

  /// As Any::PackFrom, which puts the type's URL together anew each time.
  template <class Message>
  static void pack(const Message& message, google::protobuf::Any& out) {
    static const std::string kUrl = "type.googleapis.com/" + Message::descriptor()->full_name();
    out.set_type_url(kUrl);
    message.SerializeToString(out.mutable_value());
  }

  table::Think ask(const Registered<G>& registered, Seat seat) const {
    return [state = state_, seat, &registered](Rng& rng, const Budget& budget) {
      const auto strategy = registered.make({.tree_bytes = limits::kThinkTreeBytes});
      const Choice<G> choice = strategy->choose(state, seat, rng, budget);
      typename Codec::MoveMessage message;
      Codec::write(choice.move, message);
      return table::Advice{.strategy = std::string(registered.description.name),
                           .move = message.SerializeAsString(),
                           .value = choice.value,
                           .measure = std::string(registered.description.measure)};
    };
  }

  table::Judge judge(Seat seat) const {
    return [match = std::make_unique<MatchOf>(state_, rng_),
            seat](std::string_view move) -> Expected<std::string> {
      const table::Stamp stamp{.version = {}, .seat = seat, .move_id = {}};
      auto played = match->play(stamp, move, table::Want::kPosition);
      if (!played) return std::unexpected(std::move(played.error()));
      return std::move(played->move);
    };
  }

  static std::uint64_t digest_of(const typename G::State& state) {
    Fnv digest;
    Codec::digest(state, digest);
    return digest.value();
  }

  static void write(const Result& result, play::v1::Result& out) {
    for (std::uint8_t seat = 0; seat < result.seats; ++seat) {
      auto& standing = *out.add_standings();
      standing.set_seat(seat);
      standing.set_points(result.standings[seat].points);
      standing.set_rank(result.standings[seat].rank);
    }
  }

  /// Whose turn it is and how it ended: what a Snapshot and an Event share.
  template <class Message>
  static void write_standing(const typename G::State& state, const std::optional<Result>& result,
                             Message& out) {
    auto& turn = *out.mutable_turn();
    if (result) {
      write(*result, *out.mutable_result());
    } else if (const auto seat = G::turn(state)) {
      turn.add_seats(seat->value);
    }
  }

  std::string event_frame(const table::Stamp& stamp, const typename G::Move& move,
                          const std::vector<typename G::Stage>& stages,
                          const std::optional<Result>& result) const {
    // A move's stages are dozens of small messages: a message that is used again has them already.
    thread_local typename Codec::EventMessage body;
    body.Clear();
    Codec::write(move, stages, pending_->state, body);
    thread_local play::v1::ServerFrame frame;
    auto& event = *frame.mutable_event();
    event.Clear();
    event.set_version(stamp.version.value);
    event.set_at_ms(stamp.at_ms);
    event.set_seat(stamp.seat.value);
    event.set_move_id(stamp.move_id.data(), stamp.move_id.size());
    event.set_strategy(stamp.strategy.data(), stamp.strategy.size());
    event.set_timed_out(stamp.timed_out);
    pack(body, *event.mutable_body());
    write_standing(pending_->state, result, event);
    if (stamp.clock != nullptr && stamp.clock->on()) {
      codec::write(*stamp.clock, stamp.at_ms, G::turn(pending_->state), *event.mutable_clocks());
    }
    return frame.SerializeAsString();
  }

  typename G::State state_;
  Rng rng_;
  std::optional<Pending> pending_;
};

}  // namespace tesela::codec
