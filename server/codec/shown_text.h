// Checks and normalises texts of players that other players see.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::codec {

/// Trims white space and replaces each run of it by one space. The result has 1 to `max` Unicode
/// characters. Refuses invisible characters and those that affect the text around them (control and
/// format characters, bidirectional overrides, line separators, fillers, private use), and more
/// than limits::kMarksMax combining marks on a letter. Error: kInvalidArgument, with what is wrong;
/// `what` names the text in the sentence, such as "message".
[[nodiscard]] Expected<std::string> shown_text(std::string_view text, std::size_t max,
                                               std::string_view what);

/// The same for a display name of at most limits::kDisplayNameMax characters. Refuses letters of
/// more than one of Latin, Greek and Cyrillic, so that a name cannot imitate another.
[[nodiscard]] Expected<std::string> shown_name(std::string_view name);

}  // namespace tesela::codec
