// The process's log on standard error, as text or JSON. Tokens, secrets and request bodies are
// never logged.
#pragma once

#include <spdlog/common.h>
#include <spdlog/formatter.h>

#include <memory>

#include "server/ops/config.h"

namespace tesela::ops {

/// Configures spdlog's default logger. Call it before any thread is started.
void start_logging(LogFormat format, spdlog::level::level_enum level);

/// One JSON object a line: {"time":"2026-01-31T12:00:00.000Z","level":"info","message":"…"}, and
/// behind these the fields of base::log. In ASCII; in a message, invalid UTF-8 is replaced by
/// U+FFFD.
[[nodiscard]] std::unique_ptr<spdlog::formatter> json_formatter();

/// "2026-01-31T12:00:00.000Z info …", and fields as ` name=value`, one line a message, which
/// base::printable has escaped: input of a client forges no line and controls no terminal.
[[nodiscard]] std::unique_ptr<spdlog::formatter> text_formatter();

}  // namespace tesela::ops
