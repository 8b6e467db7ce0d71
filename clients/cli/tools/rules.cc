#include "clients/cli/tools/rules.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/base/rules_json.h"
#include "clients/cli/games/azul/azul_rules.h"
#include "clients/cli/games/g2048/g2048_rules.h"
#include "clients/cli/games/g2248/g2248_rules.h"
#include "clients/cli/games/samegame/samegame_rules.h"

namespace tesela::cli {
namespace {

constexpr std::string_view kAbout =
    R"(Reads one JSON object a line from standard input, and writes one answer a line to standard
output, in the same order, with the question's id. tests/vectors/README.md describes every kind.

kind "moves" (2048): "grid" (n rows of n values, 0 is empty) and "objective" are answered with
"left", "right", "up" and "down", each with "grid" (before the spawn), "moved" and "gain", and with
"state": win, ok or lose.

kinds "join", "booster", "max_path" and "max_adjacent" (2248): "grid" (flat, row by row, 0 is empty)
and "cols"; "join" also "path" ([row, column] each). The first two are answered with "value" or
"groups" (flat cells) and with "stage_sum" (cleared), "stage_gravity" (fallen) and
"refill_exponents" (the range that is drawn from, null without a group). The hints are answered with
"value" and "path", 0 and [] when there is none.

kind "move" (SameGame): "board" (rows of cells, -1 is empty, else a colour from 0) and "move" ([row,
column]) are answered with "valid" and "groups"; a valid one also with "group_size", "score",
"after", "remaining", "game_over", "cleared" and "terminal_bonus_jsgames" (all tiles that are left
cost once).

kinds of Azul: "legal" ("state") is answered with "moves"; "apply" ("state", "move") with "next",
before tiling if it ends the round; "round_end" ("state") with "after"; "tiling" ("wall",
"full_lines") with "points_per_line", "points" and "wall_after"; "bonus" ("wall") with "rows",
"cols", "colors" and "bonus"; "refill" ("players", "bag", "lid") with "factory_sizes" and the totals
left; "winner" ("final_scores", "complete_rows") with "winners"; "game" ("players", "rounds" with
their deals and moves) with "rounds", "final" and "winners".

  echo '{"kind":"moves","id":1,"grid":[[2,2],[0,4]],"objective":2048}' | tesela rules

A line that cannot be read is answered with its id and "error", and the program goes on; it exits
with 1 at the end.)";

/// A kind of question, and what answers it: the fields to add to the answer.
struct Kind {
  std::string_view name;
  Expected<Json> (*answer)(const Json& question);
};
constexpr std::array kKinds{
    Kind{"moves", answer_2048_moves},
    Kind{"join", answer_2248_join},
    Kind{"booster", answer_2248_booster},
    Kind{"max_path", answer_2248_max_path},
    Kind{"max_adjacent", answer_2248_max_adjacent},
    Kind{"move", answer_samegame_move},
    Kind{"legal", answer_azul_legal},
    Kind{"apply", answer_azul_apply},
    Kind{"round_end", answer_azul_round_end},
    Kind{"tiling", answer_azul_tiling},
    Kind{"bonus", answer_azul_bonus},
    Kind{"refill", answer_azul_refill},
    Kind{"winner", answer_azul_winner},
    Kind{"game", answer_azul_game},
};

std::string known_kinds() {
  std::string names;
  for (const Kind& kind : kKinds) {
    names += (names.empty() ? "" : ", ") + std::string{kind.name};
  }
  return names;
}

Expected<Json> answer_kind(const Json& question) {
  const auto field = question.find("kind");
  if (field == question.end() || !field->is_string()) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The line has no kind; the kinds known are: " + known_kinds() + ".");
  }
  const auto& name = field->get_ref<const std::string&>();
  const auto kind = std::ranges::find(kKinds, name, &Kind::name);
  if (kind == kKinds.end()) {
    return refuse(ErrorCode::kInvalidArgument,
                  "There is no kind '" + name + "'; the kinds known are: " + known_kinds() + ".");
  }
  return kind->answer(question);
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

}  // namespace

std::size_t answer_rules(std::istream& questions, std::ostream& answers) {
  std::size_t errors = 0;
  std::vector<char> buffer(kRulesLineMax + 1);
  while (questions.peek() != std::istream::traits_type::eof()) {
    const Json answer = answer_next(questions, buffer);
    errors += answer.contains("error") ? 1 : 0;
    answers << answer.dump() << '\n' << std::flush;  // whoever asks may be waiting
  }
  return errors;
}

void add_rules(CLI::App& app) {
  app.add_subcommand("rules", "Answer questions about the rules, line by line")
      ->footer(std::string{kAbout})
      ->callback([] {
        if (answer_rules(std::cin, std::cout) != 0) {
          throw CLI::RuntimeError(1);
        }
      });
}

}  // namespace tesela::cli
