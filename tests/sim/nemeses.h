// What goes wrong in a simulation, and when: all of it drawn from the seed before the run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/sim/cluster.h"

namespace tesela::sim {

struct Fault {
  std::string kind;
  Nanos at{};
  Nanos lasts{};
  std::size_t machine{};
  std::size_t other{};  // another machine
  std::uint64_t strength{};
};

/// Those of a day: misjudge is asked for by its name.
[[nodiscard]] std::vector<std::string> kinds_of_faults();

/// One every `every` on average, from a tenth of `time` to its end.
[[nodiscard]] std::vector<Fault> draw_faults(std::uint64_t seed, Nanos time, Nanos every,
                                             std::size_t machines,
                                             const std::vector<std::string>& kinds);
[[nodiscard]] std::string in_words(const Fault& fault);

/// Lets it happen, and heals it: returns afterwards. By a thread of its own.
void happen(const Fault& fault, Cluster& cluster);

}  // namespace tesela::sim
