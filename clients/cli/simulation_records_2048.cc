#include "clients/cli/simulation_records_2048.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>

#include "clients/cli/json_2048.h"
#include "clients/cli/seed_text.h"
#include "engine/g2048/text.h"

namespace tesela::cli {
namespace {

using g2048::Move;
using g2048::Outcome;
using g2048::Stage;
using g2048::StageKind;
using g2048::State;
using Json = nlohmann::ordered_json;

std::string_view outcome_name(const State& s) {
  switch (g2048::outcome(s)) {
    case Outcome::kWon:
      return "won";
    case Outcome::kLost:
      return "lost";
    case Outcome::kInPlay:
    case Outcome::kObjectiveReached:
      break;
  }
  return "stopped";
}

std::string_view name_of(StageKind kind) {
  switch (kind) {
    case StageKind::kSlide:
      return "slide";
    case StageKind::kMerge:
      return "merge";
    case StageKind::kSpawn:
      break;
  }
  return "spawn";
}

class Transcript : public Observer2048 {
 public:
  explicit Transcript(std::ostream& out) : out_{out} {}

  void started(std::uint64_t game, const Seed& seed, const State& s) override {
    out_ << "game " << game << ", seed " << to_text(seed) << '\n'
         << g2048::draw(s.cells, s.config.size);
  }

  void moved(std::uint64_t number, Move move, std::span<const Stage> stages,
             const State& after) override {
    out_ << "\nmove " << number << ": " << g2048::name(move.direction) << ", score " << after.score
         << '\n';
    for (const Stage& stage : stages) {
      out_ << name_of(stage.kind);
      if (stage.points != 0) out_ << " +" << stage.points;
      out_ << '\n' << g2048::draw(stage.cells, after.config.size);
    }
  }

  void ended(std::uint64_t moves, const State& s) override {
    out_ << '\n' << outcome_name(s) << " after " << moves << " moves, score " << s.score << "\n\n";
  }

 private:
  std::ostream& out_;
};

class Log : public Observer2048 {
 public:
  explicit Log(std::ostream& out) : out_{out} {}

  void started(std::uint64_t game, const Seed& seed, const State& s) override {
    game_ = game;
    write({{"event", "start"},
           {"game", game},
           {"seed", to_text(seed)},
           {"config", config_json(s.config)},
           {"grid", grid_json(s.cells, s.config.size)}});
  }

  void moved(std::uint64_t number, Move move, std::span<const Stage> stages,
             const State& after) override {
    const Stage& spawn = stages.back();
    write({{"event", "move"},
           {"game", game_},
           {"move", number},
           {"direction", g2048::name(move.direction)},
           {"spawn",
            {{"row", spawn.spawned / after.config.size},
             {"column", spawn.spawned % after.config.size},
             {"value", g2048::tile_value(after.cells[spawn.spawned])}}},
           {"grid", grid_json(after.cells, after.config.size)},
           {"score", after.score}});
  }

  void ended(std::uint64_t moves, const State& s) override {
    write({{"event", "end"},
           {"game", game_},
           {"outcome", outcome_name(s)},
           {"moves", moves},
           {"score", s.score},
           {"largest", g2048::tile_value(std::ranges::max(s.cells))}});
  }

 private:
  void write(const Json& line) { out_ << line.dump() << '\n'; }

  std::ostream& out_;
  std::uint64_t game_{0};
};

class Screen : public Observer2048 {
 public:
  Screen(std::ostream& out, std::chrono::milliseconds delay, bool in_place)
      : out_{out}, delay_{delay}, in_place_{in_place} {}

  void started(std::uint64_t game, const Seed& /*seed*/, const State& s) override {
    game_ = game;
    show("start", s);
  }

  void moved(std::uint64_t number, Move move, std::span<const Stage> /*stages*/,
             const State& after) override {
    show("move " + std::to_string(number) + " " + std::string{g2048::name(move.direction)}, after);
  }

  void ended(std::uint64_t moves, const State& s) override {
    out_ << outcome_name(s) << " after " << moves << " moves\n\n";
  }

 private:
  void show(const std::string& what, const State& s) {
    constexpr std::string_view kHomeAndClear = "\x1b[H\x1b[J";
    if (in_place_) out_ << kHomeAndClear;
    out_ << "game " << game_ << "  " << what << "  score " << s.score << '\n'
         << g2048::draw(s.cells, s.config.size) << '\n'
         << std::flush;
    std::this_thread::sleep_for(delay_);
  }

  std::ostream& out_;
  std::chrono::milliseconds delay_;
  bool in_place_;
  std::uint64_t game_{0};
};

}  // namespace

std::unique_ptr<Observer2048> make_transcript(std::ostream& out) {
  return std::make_unique<Transcript>(out);
}

std::unique_ptr<Observer2048> make_log(std::ostream& out) {
  return std::make_unique<Log>(out);
}

std::unique_ptr<Observer2048> make_screen(std::ostream& out, std::chrono::milliseconds delay,
                                          bool in_place) {
  return std::make_unique<Screen>(out, delay, in_place);
}

}  // namespace tesela::cli
