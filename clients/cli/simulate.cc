#include "clients/cli/simulate.h"

#include <CLI/CLI.hpp>
#include <array>
#include <iostream>
#include <memory>
#include <string>

#include "clients/cli/options/azul_options.h"
#include "clients/cli/options/g2048_options.h"
#include "clients/cli/options/g2248_options.h"
#include "clients/cli/options/samegame_options.h"
#include "clients/cli/simulation/azul_words.h"
#include "clients/cli/simulation/g2048_words.h"
#include "clients/cli/simulation/g2248_words.h"
#include "clients/cli/simulation/run.h"
#include "clients/cli/simulation/samegame_words.h"
#include "server/codec/azul.h"
#include "server/codec/g2048.h"
#include "server/codec/g2248.h"
#include "server/codec/samegame.h"

namespace tesela::cli {
namespace {

constexpr std::uint64_t kGamesMax = 1'000'000;
constexpr std::uint64_t kMovesMax = 1'000'000'000;
constexpr std::uint32_t kDelayMaxMs = 60'000;

[[noreturn]] void fail(const std::string& message) {
  std::cerr << message << '\n';
  throw CLI::RuntimeError(1);
}

template <GameWords Words, class Codec>
void add_game(CLI::App& app, std::shared_ptr<const SimulateOptions> options) {
  auto config = std::make_shared<typename Codec::ConfigMessage>();
  add_options(app, *config);
  app.callback([options = std::move(options), config] {
    const auto read = Codec::read(*config);
    if (!read) fail(read.error().message);
    if (const auto done = run_simulation<Words>(*read, *options); !done) fail(done.error().message);
  });
}

struct SimulatedGameEntry {
  const char* name;
  const char* about;
  void (*add)(CLI::App& app, std::shared_ptr<const SimulateOptions> options);
};

// A new game is a line here.
constexpr std::array kGames = {
    SimulatedGameEntry{"2048", "Games of 2048", &add_game<G2048Words, codec::G2048Codec>},
    SimulatedGameEntry{"2248", "Games of 2248", &add_game<G2248Words, codec::G2248Codec>},
    SimulatedGameEntry{"samegame", "Games of SameGame",
                       &add_game<SameGameWords, codec::SameGameCodec>},
    SimulatedGameEntry{"azul", "Games of Azul", &add_game<AzulWords, codec::AzulCodec>},
};

std::string names() {
  std::string names;
  for (const auto& game : kGames) names += (names.empty() ? "" : ", ") + std::string{game.name};
  return names;
}

void add_shared_options(CLI::App& simulate, SimulateOptions& options) {
  simulate.add_option("--bots", "Who plays: random")
      ->check(CLI::IsMember({"random"}))
      ->default_str("random");
  simulate.add_option("--games", options.games, "How many games")
      ->check(CLI::Range(std::uint64_t{1}, kGamesMax))
      ->capture_default_str();
  simulate
      .add_option("--moves", options.moves_max,
                  "Stop each game after so many moves (0: at its end, or after 100000)")
      ->check(CLI::Range(std::uint64_t{0}, kMovesMax))
      ->capture_default_str();
  simulate
      .add_option("--seed", options.seed,
                  "Makes it the same every time: 64 hexadecimal digits, or any text, of which the "
                  "SHA-256 is the seed (a new one each time, which the summary tells)")
      ->type_name("TEXT");
  simulate
      .add_option("--delay", options.delay_ms,
                  "Show every board, and wait so many milliseconds after each move")
      ->check(CLI::Range(std::uint32_t{0}, kDelayMaxMs))
      ->type_name("MS");
  simulate
      .add_option("--transcript", options.transcript,
                  "Write every board, move and stage as text to this file (-: standard output)")
      ->type_name("FILE");
  simulate
      .add_option("--log", options.log,
                  "Write all boards and moves to this file, one JSON object a line (-: standard "
                  "output)")
      ->type_name("FILE");
}

}  // namespace

void add_simulate(CLI::App& app) {
  auto options = std::make_shared<SimulateOptions>();
  auto& simulate = *app.add_subcommand("simulate", "Let bots play here, without a server");
  simulate.require_subcommand(0, 1);
  add_shared_options(simulate, *options);
  for (const auto& entry : kGames) {
    auto& game = *simulate.add_subcommand(entry.name, entry.about);
    game.fallthrough();
    entry.add(game, options);
  }
  simulate.callback([&simulate] {
    if (simulate.get_subcommands().empty()) fail("Name the game to simulate: " + names() + ".");
  });
}

}  // namespace tesela::cli
