#include "clients/cli/options/table_options.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>

#include "clients/cli/options/time_option.h"

namespace tesela::cli {
namespace {

using std::chrono::milliseconds;

/// At most a day.
std::uint32_t whole(milliseconds time) {
  return static_cast<std::uint32_t>(time.count());
}

}  // namespace

std::vector<CLI::Option*> add_table_options(CLI::App& app, lobby::v1::TableOptions& options) {
  auto* by_invite = app.add_flag_callback(
      "--private", [&options] { options.set_invite_only(true); },
      "Only who has the invite, which the screen shows, may sit down or watch");
  auto* unseen = app.add_flag_callback(
      "--no-spectators", [&options] { options.set_spectators_off(true); },
      "Only the players may watch");
  std::vector<CLI::Option*> all{by_invite, unseen};
  const auto bots = add_late_bots(
      app, "Bots take the seats that are still free after this time, such as 30s",
      {.after = [&options](milliseconds time) { options.set_bots_after_ms(whole(time)); },
       .level = [&options](std::uint32_t level) { options.set_bot_level(level); }});
  all.insert(all.end(), bots.begin(), bots.end());
  return all;
}

}  // namespace tesela::cli
