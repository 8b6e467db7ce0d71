// What a simulation of 2048 comes to.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "clients/cli/simulation_2048.h"

namespace tesela::cli {

/// Mean and quantiles of scores and lengths, the largest tiles, and the speed: lines for people.
/// `results` is not empty.
[[nodiscard]] std::string summary(const Simulation2048& simulation,
                                  const std::vector<Simulated2048>& results,
                                  std::chrono::duration<double> elapsed);

}  // namespace tesela::cli
