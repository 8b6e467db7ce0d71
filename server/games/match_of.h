// The implementation of Match, for every game with a codec.
#pragma once

#include <tesela/play/v1/course.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/chacha20.h"
#include "engine/core/game.h"
#include "engine/core/rng.h"
#include "engine/strategy/registry.h"
#include "server/base/bytes.h"
#include "server/base/limits.h"
#include "server/base/wire_writer.h"
#include "server/games/clock.h"
#include "server/games/codec_parts.h"
#include "server/games/event_frame.h"
#include "server/games/game_codec.h"
#include "server/games/judging.h"
#include "server/games/match.h"
#include "server/games/resignations.h"

namespace tesela::games {

template <GameCodec Codec>
class MatchOf final : public Match {
 public:
  using G = typename Codec::Game;

  MatchOf(const typename G::State& state, const Rng::Place& dice)
      : state_(state), dice_(dice), turn_(G::turn(state)) {}

  [[nodiscard]] std::string_view move_type() const override {
    return Codec::MoveMessage::descriptor()->full_name();
  }

  [[nodiscard]] std::uint8_t seats() const override { return G::standings(state_).seats; }
  [[nodiscard]] Expected<Played> play(const Stamp& stamp, std::string_view move_bytes,
                                      Want want) override {
    if constexpr (UsualMoveCodec<Codec>) {
      if (const auto move = Codec::read_usual(move_bytes)) return play_read(stamp, *move, want);
    }
    typename Codec::MoveMessage message;
    if (!message.ParseFromArray(move_bytes.data(), static_cast<int>(move_bytes.size()))) {
      return refuse(ErrorCode::kInvalidArgument,
                    "This is not a move: expected an encoded " + std::string(move_type()) + ".");
    }
    if (resigned_.any() && !turn()) return game_over();
    const auto move = Codec::read(message);
    if (!move) return std::unexpected(move.error());
    return play_read(stamp, *move, want);
  }

  [[nodiscard]] Expected<Played> resign(const Stamp& stamp, Want want) override {
    if (!turn()) return game_over();
    if (resigned_.contains(stamp.seat)) {
      return refuse(ErrorCode::kGameOver, "You have given up this game.");
    }
    Pending pending{.state = state_, .dice = dice_, .resigned = resigned_};
    pending.resigned.add(stamp.seat);
    Played played = attempt(pending);
    if (want == Want::kFrame) {
      // The position is unchanged: no grid.
      played.frame = games::event_frame<play::v1::Resigned>(
          {.stamp = stamp, .turn = pending_->turn, .result = played.result},
          [by = stamp.claimed_by](base::WireWriter& out) {
            if (by) out.present_number(play::v1::Resigned::kClaimedByFieldNumber, by->value);
          });
    }
    return played;
  }

  [[nodiscard]] Expected<Played> go_back(const Stamp& stamp, Version to, const Match& earlier,
                                         Want want) override {
    if (!turn()) return game_over();
    const auto& then = static_cast<const MatchOf&>(earlier);
    Played played = attempt({.state = then.state_, .dice = then.dice_, .resigned = then.resigned_});
    if (want == Want::kFrame) {
      using Body = play::v1::Undone;
      const std::vector<typename G::Stage> none;
      const auto write_body = [&](base::WireWriter& out) {
        const auto end = out.mark();
        write_view(pending_->state, out);
        out.message(Body::kViewFieldNumber, end);
        out.number(Body::kToVersionFieldNumber, to.value);
      };
      played.frame = games::event_frame<Body>(event_parts(stamp, played.result, none), write_body);
    }
    return played;
  }

  void commit() override {
    state_ = pending_->state;
    dice_ = pending_->dice;
    resigned_ = pending_->resigned;
    turn_ = pending_->turn;
    pending_.reset();
  }

  [[nodiscard]] std::string save() const override {
    base::ByteWriter out;
    Codec::canonical(state_, out);
    out.u64(dice_.consumed);
    for (const std::uint8_t place : resigned_.order()) out.byte(place);
    return out.take();
  }

  [[nodiscard]] static Expected<std::unique_ptr<Match>> restore(const typename G::Config& config,
                                                                const Seed& seed,
                                                                std::string_view saved) {
    base::ByteReader in(saved);
    const auto state = Codec::read_canonical(config, in);
    if (!state) return std::unexpected(state.error());
    const Rng::Place dice{.key = chacha20_key(seed), .consumed = in.u64()};
    std::array<std::uint8_t, kSeatsMax> order{};
    for (std::uint8_t& place : order) place = in.byte();
    const auto resigned = Resignations::of(order, G::seats(config));
    if (!resigned || !in.whole()) return not_a_position();
    auto match = std::make_unique<MatchOf>(*state, dice);
    match->resigned_ = *resigned;
    if (result_of(*state, *resigned)) match->turn_.reset();
    return match;
  }

  [[nodiscard]] std::unique_ptr<Match> copy() const override {
    auto copy = std::make_unique<MatchOf>(state_, dice_);
    copy->resigned_ = resigned_;
    copy->turn_ = turn_;
    return copy;
  }

  [[nodiscard]] std::string snapshot(Version version, std::int64_t at_ms, const Clock& clock,
                                     base::Moment now) const override {
    using Message = play::v1::Snapshot;
    thread_local base::WireWriter out;
    out.clear();
    if constexpr (GridCodec<Codec>) {
      game::v1::GridView grid;
      write_grid(state_, grid);
      out.present_bytes(Message::kGridFieldNumber, grid.SerializeAsString());
    }
    write_clocks(Message::kClocksFieldNumber, &clock, now, turn_, out);
    out.number(Message::kAtMsFieldNumber, static_cast<std::uint64_t>(at_ms));
    if (const auto final = final_result()) {
      out.present_bytes(Message::kResultFieldNumber, final->result);
    }
    write_turn(Message::kTurnFieldNumber, turn_, out);
    const auto end = out.mark();
    write_view(state_, out);
    out.message(Message::kViewFieldNumber, end);
    out.number(Message::kVersionFieldNumber, version.value);
    out.message(play::v1::ServerFrame::kSnapshotFieldNumber, 0);
    return out.take();
  }

  [[nodiscard]] std::uint64_t digest() const override { return digest_of(state_); }
  [[nodiscard]] std::optional<Seat> turn() const override { return turn_; }
  [[nodiscard]] bool resigned(Seat seat) const override { return resigned_.contains(seat); }
  [[nodiscard]] std::optional<FinalResult> final_result() const override {
    const auto standings = result_of(state_, resigned_);
    if (!standings) return std::nullopt;
    return FinalResult{.result = encoded(*standings, resigned_), .standings = *standings};
  }

  [[nodiscard]] Expected<SearchTask> search_task(std::string_view strategy, Seat seat,
                                                 const Plan& plan) const override {
    const auto registered = find(strategy);
    if (!registered) return std::unexpected(registered.error());
    return ask(**registered, seat, plan);
  }

  [[nodiscard]] Expected<SearchTask> hint_task(std::string_view strategy, Seat seat,
                                               std::size_t most) const override {
    const auto registered = find(strategy);
    if (!registered) return std::unexpected(registered.error());
    return hint_task_of<Codec>(**registered, state_, seat, most);
  }

  [[nodiscard]] Expected<JudgeTask> judge_task(std::string_view strategy, Seat seat,
                                               std::string_view played, std::size_t best,
                                               std::chrono::microseconds effort) const override {
    typename Codec::MoveMessage message;
    if (!message.ParseFromArray(played.data(), static_cast<int>(played.size()))) {
      return refuse(ErrorCode::kCorrupt, "The log holds a move that cannot be read.");
    }
    const auto move = Codec::read(message);
    if (!move) return refuse(ErrorCode::kCorrupt, move.error().message);
    const auto registered = find(strategy);
    if (!registered) return std::unexpected(registered.error());
    return judge_task_of<Codec>(**registered, state_, seat, *move, best, effort);
  }

  [[nodiscard]] BotRequest bot_request(Seat seat) const override {
    BotRequest request{.seat = seat,
                       .view = {},
                       .move_type = std::string(move_type()),
                       .legal_moves = {},
                       .judge = judge(seat)};
    base::WireWriter view;
    write_view(state_, view);
    request.view = view.take();
    G::legal_moves(state_, seat, [&](const typename G::Move& move) {
      if (request.legal_moves.size() == limits::kRequestMovesMax) return false;
      request.legal_moves.push_back(encoded<Codec>(move));
      return true;
    });
    return request;
  }

 private:
  using Moves = std::vector<typename G::Move>;

  Expected<Played> play_read(const Stamp& stamp, const typename G::Move& move, Want want) {
    if (resigned_.any() && !turn()) return game_over();
    Rng rng(dice_, dice_block_);
    // Reused: a move needs no memory for its stages.
    thread_local std::vector<typename G::Stage> stages;
    stages.clear();
    auto state = want == Want::kFrame
                     ? G::apply(state_, stamp.seat, move, rng, CollectStages{stages})
                     : G::apply(state_, stamp.seat, move, rng, NoStages{});
    if (!state) return std::unexpected(std::move(state.error()));
    dice_block_ = rng.block();
    Played played = attempt({.state = *state, .dice = rng.place(), .resigned = resigned_});
    played.move = encoded<Codec>(move);
    if (want == Want::kFrame) {
      played.frame = games::event_frame<typename Codec::EventMessage>(
          event_parts(stamp, played.result, stages),
          [&](base::WireWriter& out) { write_event<Codec>(move, stages, pending_->state, out); });
    }
    return played;
  }

  /// An attempt.
  struct Pending {
    typename G::State state;
    Rng::Place dice;
    Resignations resigned;
    std::optional<Seat> turn{};  // set by `attempt`
  };

  static std::unexpected<Error> game_over() {
    return refuse(ErrorCode::kGameOver, "The game is over.");
  }

  static std::optional<Result> result_of(const typename G::State& state,
                                         const Resignations& resigned) {
    const auto result = G::result(state);
    if (!resigned.any()) return result;
    const Result standings = G::standings(state);
    if (!result && !resigned.end_the_game(standings.seats)) return std::nullopt;
    return resigned.ranked(standings);
  }

  Played attempt(const Pending& pending) {
    pending_ = pending;
    Played played{.digest = digest_of(pending_->state)};
    pending_->turn = G::turn(pending_->state);
    // Most moves end nothing.
    if (pending_->turn && !pending_->resigned.any()) return played;
    played.standings = result_of(pending_->state, pending_->resigned);
    if (!played.standings) return played;
    played.result = encoded(*played.standings, pending_->resigned);
    pending_->turn.reset();
    return played;
  }

  /// Writes the fields of an Any with the view of a position.
  static void write_view(const typename G::State& state, base::WireWriter& out) {
    write_any<typename Codec::ViewMessage>(
        out, [&state](base::WireWriter& view) { Codec::write(state, view); });
  }

  /// Writes a position as a GridView, with the moves of the seat on turn.
  static void write_grid(const typename G::State& state, game::v1::GridView& out)
    requires GridCodec<Codec>
  {
    Codec::write(state, out);
    const auto seat = G::turn(state);
    if (!seat) return;
    G::legal_moves(state, *seat, [&out](const typename G::Move& move) {
      auto& choice = *out.add_moves();
      choice.set_cell(Codec::cell_of(move));
      choice.mutable_move()->set_type_url(url_of<typename Codec::MoveMessage>());
      choice.mutable_move()->set_value(encoded<Codec>(move));
    });
  }

  static Expected<const Registered<G>*> find(std::string_view strategy) {
    for (const Registered<G>& registered : strategies<G>()) {
      if (registered.description.name == strategy) return &registered;
    }
    return refuse(ErrorCode::kInvalidArgument, no_such_strategy<G>(strategy).message);
  }

  SearchTask ask(const Registered<G>& registered, Seat seat, const Plan& plan) const {
    return [state = state_, seat, &registered, plan](Rng& rng, const Budget& budget) {
      const auto strategy = registered.make({.tree_bytes = limits::kThinkTreeBytes});
      if (const auto* moves = std::any_cast<Moves>(&plan)) strategy->resume(state, *moves);
      const Choice<G> choice = strategy->choose(state, seat, rng, budget);
      Moves next = strategy->plan();
      return BotReply{.strategy = std::string(registered.description.name),
                      .move = encoded<Codec>(choice.move),
                      .value = choice.value,
                      .measure = std::string(registered.description.measure),
                      .gain = gain_of<Codec>(state, choice.move),
                      .plan = next.empty() ? Plan{} : Plan{std::move(next)}};
    };
  }

  Judge judge(Seat seat) const {
    return [match = std::make_unique<MatchOf>(state_, dice_),
            seat](std::string_view move) -> Expected<std::string> {
      const Stamp stamp{.version = {}, .seat = seat, .move_id = {}};
      auto played = match->play(stamp, move, Want::kPosition);
      if (!played) return std::unexpected(std::move(played.error()));
      return std::move(played->move);
    };
  }

  static std::uint64_t digest_of(const typename G::State& state) {
    Fnv digest;
    Codec::canonical(state, digest);
    return digest.value();
  }

  /// What the frame of the last attempt has beside its body. `stages` led to its position.
  EventParts event_parts(const Stamp& stamp, const std::optional<std::string>& result,
                         const std::vector<typename G::Stage>& stages) const {
    EventParts parts{.stamp = stamp, .turn = pending_->turn, .result = result};
    if constexpr (GridCodec<Codec>) {
      thread_local game::v1::GridEvent grid;
      grid.clear_stages();
      grid.mutable_view()->Clear();
      for (const auto& stage : stages) Codec::write(stage, *grid.add_stages());
      write_grid(pending_->state, *grid.mutable_view());
      parts.grid = grid.SerializeAsString();
    }
    return parts;
  }

  typename G::State state_;
  Rng::Place dice_;
  Rng::Block dice_block_;  // of their stream, near the last attempt's end
  Resignations resigned_;
  std::optional<Seat> turn_;
  std::optional<Pending> pending_;
};

}  // namespace tesela::games
