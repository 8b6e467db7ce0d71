// The outputs of a running simulation: a transcript, a log, and a live board.
#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include "clients/cli/base/value_text.h"
#include "clients/cli/simulate/game_text.h"
#include "clients/cli/simulate/play_game.h"

namespace tesela::cli {

/// Buffers its output until flush(), so that games appear in order.
template <Game G>
class BufferedRecord : public Observer<G> {
 public:
  void flush() final { out_ << buffer_.view(); }

 protected:
  /// `out` outlives it.
  explicit BufferedRecord(std::ostream& out) : out_{out} {}

  std::ostringstream buffer_;

 private:
  std::ostream& out_;
};

/// For people: every position, move and stage in words, and the score.
template <GameText Text>
class Transcript final : public BufferedRecord<typename Text::Game> {
 public:
  using G = typename Text::Game;

  explicit Transcript(std::ostream& out) : BufferedRecord<G>{out} {}

  void started(std::uint64_t game, const Seed& seed, const typename G::State& s) override {
    this->buffer_ << "game " << game << ", seed " << to_text(seed) << '\n' << Text::draw(s);
  }

  void moved(std::uint64_t number, const typename G::State& before, const typename G::Move& move,
             std::span<const typename G::Stage> stages, const typename G::State& after) override {
    this->buffer_ << "\nmove " << number << ": " << Text::say(before, move) << ", "
                  << Text::standing(after) << '\n'
                  << Text::tell(stages, after);
  }

  void ended(std::uint64_t moves, const typename G::State& s) override {
    this->buffer_ << '\n'
                  << Text::outcome(s) << " after " << moves << " moves, " << Text::standing(s)
                  << "\n\n";
  }
};

/// For programs: one JSON object a line. `{"event":"start", …}` has the game's number, its seed,
/// its configuration and the position; `{"event":"move", …}` the move, what came of it, and the
/// position after it; `{"event":"end", …}` the outcome.
template <GameText Text>
class Log final : public BufferedRecord<typename Text::Game> {
 public:
  using G = typename Text::Game;

  explicit Log(std::ostream& out) : BufferedRecord<G>{out} {}

  void started(std::uint64_t game, const Seed& seed, const typename G::State& s) override {
    game_ = game;
    write({{"event", "start"}, {"game", game}, {"seed", to_text(seed)}}, Text::start_json(s));
  }

  void moved(std::uint64_t number, const typename G::State& before, const typename G::Move& move,
             std::span<const typename G::Stage> stages, const typename G::State& after) override {
    write({{"event", "move"}, {"game", game_}, {"move", number}},
          Text::move_json(before, move, stages, after));
  }

  void ended(std::uint64_t moves, const typename G::State& s) override {
    write({{"event", "end"}, {"game", game_}, {"outcome", Text::outcome(s)}, {"moves", moves}},
          Text::end_json(s));
  }

 private:
  void write(Json line, const Json& of_game) {
    line.update(of_game);
    this->buffer_ << line.dump() << '\n';
  }

  std::uint64_t game_{0};
};

/// Shows the position after every move, and then pauses. On a terminal (`in_place`) each position
/// replaces the one before. For one thread; `out` outlives it.
template <GameText Text>
class LiveBoard final : public Observer<typename Text::Game> {
 public:
  using G = typename Text::Game;

  LiveBoard(std::ostream& out, std::chrono::milliseconds delay, bool in_place)
      : out_{out}, delay_{delay}, in_place_{in_place} {}

  void started(std::uint64_t game, const Seed& /*seed*/, const typename G::State& s) override {
    game_ = game;
    show("start", s);
  }

  void moved(std::uint64_t number, const typename G::State& before, const typename G::Move& move,
             std::span<const typename G::Stage> /*stages*/,
             const typename G::State& after) override {
    show("move " + std::to_string(number) + " " + Text::say(before, move), after);
  }

  void ended(std::uint64_t moves, const typename G::State& s) override {
    out_ << Text::outcome(s) << " after " << moves << " moves\n\n";
  }

 private:
  void show(const std::string& what, const typename G::State& s) {
    constexpr std::string_view kHomeAndClear = "\x1b[H\x1b[J";
    if (in_place_) out_ << kHomeAndClear;
    out_ << "game " << game_ << "  " << what << "  " << Text::standing(s) << '\n'
         << Text::draw(s) << '\n'
         << std::flush;
    std::this_thread::sleep_for(delay_);
  }

  std::ostream& out_;
  std::chrono::milliseconds delay_;
  bool in_place_;
  std::uint64_t game_{0};
};

}  // namespace tesela::cli
