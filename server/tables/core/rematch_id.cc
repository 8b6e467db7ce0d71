#include "server/tables/core/rematch_id.h"

#include <cstddef>
#include <cstdint>

#include "server/base/id_text.h"
#include "server/base/sha256.h"

namespace tesela::tables {

TableId rematch_id(TableId over) {
  const base::Sha256 hash = base::sha256("tesela rematch v1" + base::to_text(over));
  std::uint64_t id = 0;
  for (std::size_t i = 0; i < sizeof id; ++i) id = id << 8U | hash[i];
  return TableId{id >> 1U};
}

}  // namespace tesela::tables
