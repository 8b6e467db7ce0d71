// Which texts of people may be shown to others.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::codec {

/// The text as others will see it: trimmed of white space, with single plain spaces inside, 1 to
/// `max` Unicode characters, nothing among them that cannot be seen or that turns the text around
/// it (control and format characters, bidirectional overrides, line separators, fillers, private
/// use), or that climbs out of its line (more than limits::kMarksMax marks on a letter). Error:
/// kInvalidArgument, with what is wrong with the `what`, such as "message".
[[nodiscard]] Expected<std::string> shown_text(std::string_view text, std::size_t max,
                                               std::string_view what);

/// The same for a display name of at most limits::kDisplayNameMax characters, which may not look
/// like another's either: no letters of more than one of Latin, Greek and Cyrillic.
[[nodiscard]] Expected<std::string> shown_name(std::string_view name);

}  // namespace tesela::codec
