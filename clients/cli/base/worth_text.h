// What strategies expect of moves, as people read it. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tesela::cli {

/// The value of a move in its measure (engine/strategy/measures.h), or what it is worth less than
/// another: "62.4 %", "812", "12.345". Where values say something beside others alone, the part of
/// `best`, the value of the best move of the position: "99.38 %".
[[nodiscard]] std::string worth_text(std::string_view measure, double value, double best);

/// The same with what it counts: "62.4 % to win" (of two), "62.4 % of the others left behind",
/// "812 points at the end", "99.38 % of the best".
[[nodiscard]] std::string worth_words(std::string_view measure, double value, double best,
                                      std::size_t seats);

/// Whether values of the measure say something beside those of other moves alone: then the best
/// move of every position is worth "100 %".
[[nodiscard]] bool is_relative(std::string_view measure);

}  // namespace tesela::cli
