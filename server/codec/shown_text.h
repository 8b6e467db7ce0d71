// Checks and normalises texts of players that other players see. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::codec {

/// Brings a text into Unicode's normal form C, trims white space and replaces each run of spaces by
/// one. The result has 1 to `max` characters, which are Unicode code points: an emoji that is
/// joined from several counts as those. Refuses characters that are invisible or affect the text
/// around it (control and format characters, line separators, fillers, unassigned characters), but
/// for joiners and selectors where a script or an emoji wants them; and too many marks on a letter
/// (limits::kMarksMax, and more where a script spells so). Error: kInvalidArgument, with what is
/// wrong; `what` names the text in the sentence, such as "message".
[[nodiscard]] Expected<std::string> shown_text(std::string_view text, std::size_t max,
                                               std::string_view what);

/// The same for a display name of at most limits::kDisplayNameMax characters. Refuses names that
/// can imitate another, as Unicode Technical Standard 39 has it: letters of scripts that are not
/// written together (its level "highly restrictive"), digits of several scripts, hidden marks; and
/// those that look like the name of a bot, or begin like the name of
/// a player with a handle ("@").
[[nodiscard]] Expected<std::string> shown_name(std::string_view name);

/// A handle: a name that one player alone has.
struct Handle {
  std::string shown;
  /// The same for all handles that look alike. Its beginning is the key of a handle's beginning,
  /// but where letters look like several.
  std::string key;
};

/// Reads a handle with or without "@" before it: limits::kHandleMin to kHandleMax letters, digits,
/// "-" and "_", the first a letter. Refuses what shown_name refuses, and names that sound like the
/// operator's. Error: kInvalidArgument, with what is wrong.
[[nodiscard]] Expected<Handle> read_handle(std::string_view handle);

/// The key of what a handle may begin with. Error: kInvalidArgument.
[[nodiscard]] Expected<std::string> handle_prefix_key(std::string_view prefix);

/// "The table was closed: Nobody came.": what was done, and a reason, which may lack its full stop.
[[nodiscard]] std::string with_reason(std::string what, std::string_view reason);

}  // namespace tesela::codec
