#include "clients/cli/play/table_options.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "clients/cli/base/value_text.h"
#include "engine/strategy/strategy.h"

namespace tesela::cli {
namespace {

using std::chrono::milliseconds;

/// "beginner" for 1, and so on.
std::map<std::string, std::uint32_t> levels_by_name() {
  std::map<std::string, std::uint32_t> levels;
  for (std::uint8_t level = 1; level <= kLevelMax; ++level) {
    levels.emplace(level_name(level), level);
  }
  return levels;
}

/// At most a day.
std::uint32_t whole(milliseconds time) {
  return static_cast<std::uint32_t>(time.count());
}

const std::map<std::string, lobby::v1::Talk> kTalk{{"free", lobby::v1::TALK_FREE},
                                                   {"phrases", lobby::v1::TALK_PHRASES},
                                                   {"off", lobby::v1::TALK_OFF}};

/// An option such as `--move-time 30s`. `take` gets what was given, as read_duration reads it and
/// rounded up to whole milliseconds.
CLI::Option* add_time_option(CLI::App& app, const std::string& name, const std::string& about,
                             std::function<void(std::chrono::milliseconds)> take) {
  const auto read = [name, take = std::move(take)](const std::string& text) {
    const auto time = read_duration(text);
    if (!time) throw CLI::ValidationError(name, time.error().message);
    take(std::chrono::ceil<std::chrono::milliseconds>(*time));
  };
  return app.add_option_function<std::string>(name, read, about)->type_name("TIME");
}

std::vector<CLI::Option*> add_clock_options(CLI::App& app, lobby::v1::TableOptions& options) {
  auto* move = add_time_option(
      app, "--move-time", "How long a player may think about a move, such as 30s",
      [&options](milliseconds time) { options.mutable_clock()->set_move_ms(whole(time)); });
  auto* game = add_time_option(
      app, "--game-time", "How long a player may think about all moves together, such as 10min",
      [&options](milliseconds time) { options.mutable_clock()->set_game_ms(whole(time)); });
  auto* increment = add_time_option(
      app, "--increment", "How much of the game's time a move gives back, such as 5s",
      [&options](milliseconds time) { options.mutable_clock()->set_increment_ms(whole(time)); });
  increment->needs(game);
  auto* autoplay =
      app.add_option_function<std::string>(
             "--autoplay", [&options](const std::string& name) { options.set_autoplay(name); },
             "The strategy that moves when a player's time is over (tesela bots)")
          ->type_name("NAME");
  return {move, game, increment, autoplay};
}

}  // namespace

std::vector<CLI::Option*> add_late_bots(CLI::App& app, const std::string& about,
                                        const LateBots& take) {
  auto* after = add_time_option(app, "--bots-after", about, take.after);
  auto* level = app.add_option_function<std::uint32_t>(
                       "--bot-level", take.level,
                       "How well those bots play: beginner, easy, medium, hard or expert, or 1 "
                       "to 5 (beginner)")
                    ->needs(after)
                    ->transform(CLI::Transformer(levels_by_name(), CLI::ignore_case))
                    ->type_name("LEVEL");
  return {after, level};
}

std::vector<CLI::Option*> add_table_options(CLI::App& app, lobby::v1::TableOptions& options) {
  auto* by_invite = app.add_flag_callback(
      "--private", [&options] { options.set_invite_only(true); },
      "Joining and watching need the invite, which the screen shows");
  auto* unseen = app.add_flag_callback(
      "--no-spectators", [&options] { options.set_spectators_off(true); },
      "Only the players may watch");
  auto* practice = app.add_flag_callback(
      "--practice", [&options] { options.set_practice(true); },
      "Moves may be taken back, and the result counts for no board");
  auto* talk =
      app.add_option_function<std::string>(
             "--talk", [&options](const std::string& word) { options.set_talk(kTalk.at(word)); },
             "How the players may talk: free, phrases or off (free)")
          ->check(CLI::IsMember(kTalk))
          ->type_name("HOW");
  std::vector<CLI::Option*> all{by_invite, unseen, practice, talk};
  const auto clocks = add_clock_options(app, options);
  all.insert(all.end(), clocks.begin(), clocks.end());
  const auto bots = add_late_bots(
      app, "Bots take the seats that are still free after this time, such as 30s",
      {.after = [&options](milliseconds time) { options.set_bots_after_ms(whole(time)); },
       .level = [&options](std::uint32_t level) { options.set_bot_level(level); }});
  all.insert(all.end(), bots.begin(), bots.end());
  return all;
}

}  // namespace tesela::cli
