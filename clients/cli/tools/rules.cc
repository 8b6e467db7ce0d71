#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/base/json.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/games/games.h"

namespace tesela::cli {
namespace {

/// The longest line that is read. The rest of a longer one is skipped, and the answer is an error.
constexpr std::size_t kRulesLineMax = 1U << 20;

constexpr const char* kHelpBegin =
    R"(Reads one JSON object a line from standard input, and writes one answer a line to standard
output, in the same order, with the question's id. tests/vectors/README.md describes every kind.
)";
constexpr const char* kHelpEnd = R"(
  echo '{"kind":"moves","id":1,"grid":[[2,2],[0,4]],"objective":2048}' | tesela rules

A line that cannot be read is answered with its id and "error", and the program goes on; it exits
with 1 at the end.)";

std::string help() {
  std::string text = kHelpBegin;
  for (const TerminalGame* game : all_games()) text += game->questions_help;
  return text + kHelpEnd;
}

std::string known_kinds() {
  std::string names;
  for (const TerminalGame* game : all_games()) {
    for (const QuestionKind& kind : game->questions) {
      names += (names.empty() ? "" : ", ") + std::string{kind.name};
    }
  }
  return names;
}

Expected<Json> answer_kind(const Json& question) {
  const auto field = question.find("kind");
  if (field == question.end() || !field->is_string()) {
    return unreadable("The line has no kind; the kinds known are: " + known_kinds() + ".");
  }
  const auto& name = field->get_ref<const std::string&>();
  for (const TerminalGame* game : all_games()) {
    const auto kind = std::ranges::find(game->questions, name, &QuestionKind::name);
    if (kind != game->questions.end()) return kind->answer(question);
  }
  return unreadable("There is no kind '" + name + "'; the kinds known are: " + known_kinds() + ".");
}

Json error_answer(Json id, std::string message) {
  return Json{{"id", std::move(id)}, {"error", std::move(message)}};
}

Json answer_line(std::string_view line) {
  const Json question = Json::parse(line, nullptr, false);
  if (!question.is_object()) {
    return error_answer(nullptr, "The line is not a JSON object.");
  }
  const auto id = question.find("id");
  if (id == question.end() || !(id->is_string() || id->is_number())) {
    return error_answer(nullptr, "The line has no id, which is a string or a number.");
  }
  const Expected<Json> fields = answer_kind(question);
  if (!fields) {
    return error_answer(*id, fields.error().message);
  }
  Json answer{{"id", *id}};
  answer.update(*fields);
  return answer;
}

/// Reads the next line into `buffer`, of which one byte is for the terminating zero. Returns its
/// answer.
Json answer_next(std::istream& questions, std::vector<char>& buffer) {
  questions.getline(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  if (!questions.fail()) {
    // gcount() has the line's end in it, unless the input ends without one.
    const auto size = static_cast<std::size_t>(questions.gcount()) - (questions.eof() ? 0 : 1);
    return answer_line({buffer.data(), size});
  }
  questions.clear();
  questions.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  return error_answer(nullptr, "The line is longer than 1 MiB.");
}

/// Answers each line of `questions` with one line of JSON: its `id` and the answer, or
/// `{"id": …, "error": "…"}` where it cannot be read. Returns how many lines were answered with an
/// error.
std::size_t answer_rules(std::istream& questions, std::ostream& answers) {
  std::size_t errors = 0;
  std::vector<char> buffer(kRulesLineMax + 1);
  while (questions.peek() != std::istream::traits_type::eof()) {
    const Json answer = answer_next(questions, buffer);
    errors += answer.contains("error") ? 1 : 0;
    print(answers, Printed::lines(answer.dump(-1, ' ', true) + '\n'));
  }
  return errors;
}

}  // namespace

void add_rules(CLI::App& app) {
  add_command(app, "rules", "Answer questions about the rules, line by line")
      .footer(help())
      ->callback([] {
        if (answer_rules(std::cin, std::cout) != 0) {
          throw CLI::RuntimeError(1);
        }
      });
}

}  // namespace tesela::cli
