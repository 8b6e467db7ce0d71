// Text from outside on its way to a terminal or a log. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace tesela::base {

/// Whether a terminal acts on the character instead of showing it: C0 with line breaks and tabs,
/// DEL, C1, line and paragraph separators, and what changes the direction of writing.
[[nodiscard]] bool is_control(char32_t code);

/// `text` on one line: such characters, and bytes that are no UTF-8, are shown as \xNN or \u{NNNN}.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace tesela::base
