// What stands beside a board: names with their values, below each other.
#pragma once

#include <string>
#include <vector>

#include "clients/cli/screen/canvas.h"

namespace tesela::cli {

struct Fact {
  std::string name;
  std::string value;
};

/// Three rows a fact, from the cell downwards: the name, the value, a blank.
void draw_facts(const std::vector<Fact>& facts, int row, int column, Canvas& canvas);

}  // namespace tesela::cli
