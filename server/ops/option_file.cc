#include "server/ops/option_file.h"

#include <istream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "server/base/text_encoding.h"

namespace tesela::ops {
namespace {

class FileReader final : public CLI::ConfigTOML {
 public:
  [[nodiscard]] std::vector<CLI::ConfigItem> from_config(std::istream& in) const override {
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    std::istringstream unmarked{std::string{base::without_mark(text)}};
    auto items = CLI::ConfigTOML::from_config(unmarked);
    for (auto& item : items) item.inputs = {CLI::detail::join(item.inputs, ",")};
    return items;
  }
};

}  // namespace

std::shared_ptr<CLI::Config> option_file() {
  return std::make_shared<FileReader>();
}

}  // namespace tesela::ops
