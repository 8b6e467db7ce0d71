#include "server/ops/health.h"

namespace tesela::ops {

Expected<void> Health::ready() const {
  if (draining()) {
    return refuse(ErrorCode::kUnavailable, "The server is stopping.");
  }
  return store_.writable();
}

}  // namespace tesela::ops
