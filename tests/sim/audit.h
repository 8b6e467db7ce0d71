// What everybody was told, beside what the database has in the end.
#pragma once

#include <memory>
#include <vector>

#include "tests/sim/database/database.h"
#include "tests/sim/players/people.h"

namespace tesela::sim {

/// Reports what does not agree (truth.h). Nobody plays any more.
void audit(Database& database, const std::vector<std::unique_ptr<Person>>& people);

}  // namespace tesela::sim
