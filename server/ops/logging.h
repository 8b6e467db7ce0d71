// The process's log: lines on standard error, for people or for machines. Tokens, secrets and
// request bodies never go into it.
#pragma once

#include <spdlog/common.h>
#include <spdlog/formatter.h>

#include <memory>

#include "server/ops/config.h"

namespace tesela::ops {

/// Makes spdlog's default logger write as configured. Call it before there are threads.
void start_logging(LogFormat format, spdlog::level::level_enum level);

/// One JSON object a line: {"time":"2026-01-31T12:00:00.000Z","level":"info","message":"…"}. A
/// message that is not valid UTF-8 is made so, with U+FFFD in the place of what is broken.
[[nodiscard]] std::unique_ptr<spdlog::formatter> json_formatter();

/// "2026-01-31T12:00:00.000Z info …", one line a message: control characters are shown as \xNN.
[[nodiscard]] std::unique_ptr<spdlog::formatter> text_formatter();

}  // namespace tesela::ops
