#include "clients/cli/play/time_option.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "clients/cli/base/duration_text.h"

namespace tesela::cli {

CLI::Option* add_time_option(CLI::App& app, const std::string& name, const std::string& about,
                             std::function<void(std::chrono::milliseconds)> take) {
  const auto read = [name, take = std::move(take)](const std::string& text) {
    const auto time = read_duration(text);
    if (!time) throw CLI::ValidationError(name, time.error().message);
    take(std::chrono::ceil<std::chrono::milliseconds>(*time));
  };
  return app.add_option_function<std::string>(name, read, about)->type_name("TIME");
}

std::vector<CLI::Option*> add_late_bots(CLI::App& app, const std::string& about,
                                        const LateBots& take) {
  auto* after = add_time_option(app, "--bots-after", about, take.after);
  auto* level = app.add_option_function<std::uint32_t>(
                       "--bot-level", take.level,
                       "How well those bots play, as tesela bots shows it (the least)")
                    ->needs(after)
                    ->type_name("N");
  return {after, level};
}

}  // namespace tesela::cli
