// A digest of rows in their order.
#pragma once

#include <string>

#include "server/base/crypto.h"
#include "server/store/migration/row.h"

namespace tesela::store::migration {

/// SHA-256 of the digest before and the row, from row to row. Throws as base::sha256.
class Digest {
 public:
  void add(const Row& row);
  /// In hexadecimal.
  [[nodiscard]] std::string text() const;

 private:
  base::Sha256 digest_{};
};

}  // namespace tesela::store::migration
