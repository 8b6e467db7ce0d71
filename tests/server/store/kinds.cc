#include "tests/server/store/contract.h"

namespace tesela::store {

std::vector<Kind> kinds() {
  return {Kind::kSqlite, Kind::kMemory};
}

}  // namespace tesela::store
