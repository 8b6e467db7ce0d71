// `tesela rules`: questions about the rules on standard input, answers on standard output.
#pragma once

#include <cstddef>
#include <iosfwd>

namespace CLI {
class App;
}

namespace tesela::cli {

/// The longest line that is read; the rest of a longer one is skipped and it is answered with an
/// error.
inline constexpr std::size_t kRulesLineMax = 1U << 20;

/// Adds the subcommand.
void add_rules(CLI::App& app);

/// Answers each line of `questions`, a JSON object, with one line of JSON: its `id` and the answer,
/// or
/// `{"id": …, "error": "…"}` where it cannot be read. tests/vectors/README.md says what is asked
/// and answered. Returns how many lines were answered with an error.
std::size_t answer_rules(std::istream& questions, std::ostream& answers);

}  // namespace tesela::cli
