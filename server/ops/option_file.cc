#include "server/ops/option_file.h"

#include <algorithm>
#include <istream>
#include <iterator>
#include <sstream>

#include "server/base/text_encoding.h"

namespace tesela::ops {
namespace {

std::size_t distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (const char c : one) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t changed = diagonal + (c == other[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

/// "http-port" of `http-port = 8080`; empty for a line of another form.
std::string name_of(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos || line.find('#') < equals) return {};
  return CLI::detail::trim_copy(std::string{line.substr(0, equals)});
}

}  // namespace

std::vector<CLI::ConfigItem> OptionFile::from_config(std::istream& in) const {
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  const std::string unmarked{base::without_mark(text)};
  std::istringstream lines{unmarked};
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (auto name = name_of(line); !name.empty()) lines_.insert_or_assign(name, number);
  }
  std::istringstream whole{unmarked};
  auto items = CLI::ConfigTOML::from_config(whole);
  for (auto& item : items) {
    item.inputs = {CLI::detail::join(item.inputs, ",")};
    const bool section = item.name == "++" || item.name == "--";
    if (names_.empty() || section || std::ranges::count(names_, item.name) > 0) continue;
    throw CLI::ConfigError("line " + std::to_string(line_of(item.name)) + ": there is no option " +
                           item.name + ". The nearest is " + nearest(item.name, names_) + ".");
  }
  return items;
}

std::size_t OptionFile::line_of(const std::string& name) const {
  const auto found = lines_.find(name);
  return found == lines_.end() ? 0 : found->second;
}

const std::string& nearest(std::string_view name, const std::vector<std::string>& names) {
  return *std::ranges::min_element(
      names, {}, [name](const std::string& each) { return distance(name, each); });
}

}  // namespace tesela::ops
