#include "tests/server/store/contract.h"

namespace tesela::store {

std::vector<Kind> kinds() {
  return {Kind::kPostgres};
}

}  // namespace tesela::store
