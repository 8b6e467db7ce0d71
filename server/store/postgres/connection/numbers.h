// Ids as parameters of statements.
#pragma once

#include <cstdint>
#include <vector>

namespace tesela::store::postgres {

/// The numbers of ids, for Query::numbers.
template <class Id>
[[nodiscard]] std::vector<std::int64_t> numbers_of(const std::vector<Id>& ids) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(ids.size());
  for (const Id id : ids) numbers.push_back(static_cast<std::int64_t>(id.value));
  return numbers;
}

}  // namespace tesela::store::postgres
