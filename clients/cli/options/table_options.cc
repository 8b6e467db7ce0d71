#include "clients/cli/options/table_options.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <string>

#include "clients/cli/duration_text.h"

namespace tesela::cli {

std::vector<CLI::Option*> add_table_options(CLI::App& app, lobby::v1::TableOptions& options) {
  auto* by_invite = app.add_flag_callback(
      "--private", [&options] { options.set_invite_only(true); },
      "Only who has the invite, which the screen shows, may sit down or watch");
  auto* unseen = app.add_flag_callback(
      "--no-spectators", [&options] { options.set_spectators_off(true); },
      "Only the players may watch");
  const auto read_time = [&options](const std::string& text) {
    const auto time = read_duration(text);
    if (!time) throw CLI::ValidationError("--bots-after", time.error().message);
    const auto whole = std::chrono::ceil<std::chrono::milliseconds>(*time);  // at most a day
    options.set_bots_after_ms(static_cast<std::uint32_t>(whole.count()));
  };
  auto* after = app.add_option_function<std::string>(
                       "--bots-after", read_time,
                       "Bots take the seats that are still free after this time, such as 30s")
                    ->type_name("TIME");
  auto* level =
      app.add_option_function<std::uint32_t>(
             "--bot-level", [&options](std::uint32_t wanted) { options.set_bot_level(wanted); },
             "How well those bots play, as tesela bots shows it (the least)")
          ->needs(after)
          ->type_name("N");
  return {by_invite, unseen, after, level};
}

}  // namespace tesela::cli
