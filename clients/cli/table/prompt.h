// What a player is asked, in place of what a table has to say.
#pragma once

#include <string>
#include <vector>

namespace tesela::cli {

struct Prompt {
  std::string text;               // what is asked, and what was typed so far
  std::vector<std::string> keys;  // how to answer: at most two rows
};

}  // namespace tesela::cli
