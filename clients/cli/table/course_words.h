// What may happen in any game beside its own moves (tesela/play/v1/course.proto), in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// "Ann resigns", "Ann takes a move back"; empty for a move of the game.
[[nodiscard]] std::optional<std::string> course_words(const play::v1::Event& event,
                                                      const std::vector<std::string>& names);

/// "Ann ran out of time, greedy moves instead"; empty when the player moved.
[[nodiscard]] std::string timeout_words(const play::v1::Event& event,
                                        const std::vector<std::string>& names);

}  // namespace tesela::cli
