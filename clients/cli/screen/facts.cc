#include "clients/cli/screen/facts.h"

namespace tesela::cli {

void draw_facts(const std::vector<Fact>& facts, int row, int column, Canvas& canvas) {
  constexpr int kRowsPerFact = 3;
  for (const Fact& fact : facts) {
    canvas.put(row, column, fact.name);
    canvas.put(row + 1, column, fact.value, kBold);
    row += kRowsPerFact;
  }
}

}  // namespace tesela::cli
