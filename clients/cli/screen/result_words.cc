#include "clients/cli/screen/result_words.h"

#include <algorithm>
#include <utility>

#include "clients/cli/screen/seat_names.h"

namespace tesela::cli {
namespace {

using play::v1::Result;
using play::v1::Standing;

/// The names of those of whom `holds`, as in "Ann and Bob".
template <class Holds>
std::vector<std::string> names_where(const Result& result, const std::vector<std::string>& names,
                                     Holds holds) {
  std::vector<std::string> found;
  for (const Standing& standing : result.standings()) {
    if (holds(standing)) found.push_back(name_of(standing.seat(), names));
  }
  return found;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text;
}

}  // namespace

bool has_resigned(const Result& result) {
  return std::any_of(result.standings().begin(), result.standings().end(),
                     [](const Standing& standing) { return standing.resigned(); });
}

std::string unless_resigned(const std::optional<Result>& result, std::string words) {
  return result && has_resigned(*result) ? "resigned" : std::move(words);
}

std::string winner_words(const Result& result, const std::vector<std::string>& names) {
  const auto winners =
      names_where(result, names, [](const Standing& standing) { return standing.rank() == 1; });
  std::string points;
  for (const Standing& standing : result.standings()) {
    points += (points.empty() ? "" : " : ") + std::to_string(standing.points());
  }
  return joined(winners) + (winners.size() > 1 ? " share the first place, " : " wins, ") + points +
         ".";
}

std::string resigned_words(const Result& result, const std::vector<std::string>& names) {
  const auto gone =
      names_where(result, names, [](const Standing& standing) { return standing.resigned(); });
  const std::string who = joined(gone) + (gone.size() > 1 ? " have resigned" : " has resigned");
  if (result.standings_size() == 1) {
    return who + ", with " + std::to_string(result.standings(0).points()) + " points.";
  }
  return who + ". " + winner_words(result, names);
}

}  // namespace tesela::cli
