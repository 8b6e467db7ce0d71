// Golden texts: what a test says is compared with what was read and found good once.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace tesela::test {

/// Expects `played` to be what the file holds, or writes it there when TESELA_REWRITE_PLAYTHROUGHS
/// is set. The last thing a test does.
inline void expect_golden_file(const std::string& path, const std::string& played) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  if (std::getenv("TESELA_REWRITE_PLAYTHROUGHS") != nullptr) {
    std::ofstream{path} << played;
    GTEST_SKIP() << "wrote " << path;
  }
  std::ostringstream golden;
  golden << std::ifstream{path}.rdbuf();
  EXPECT_EQ(played, golden.str()) << "tests/playthroughs/README.md says how to rewrite " << path;
}

/// The same of tests/playthroughs/NAME.txt.
inline void expect_golden(const std::string& name, const std::string& played) {
  expect_golden_file("tests/playthroughs/" + name + ".txt", played);
}

}  // namespace tesela::test
