// A sort for few elements that keeps the order of equal ones and takes no memory.
#pragma once

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

namespace tesela {

/// By insertion. `std::ranges::stable_sort` takes memory, which a choice must not.
template <std::ranges::random_access_range Range, class Less, class Projection = std::identity>
void sort_few(Range&& range, const Less& less, const Projection& projection = {}) {
  const auto first = std::ranges::begin(range);
  const auto count = std::ranges::distance(range);
  for (std::ranges::range_difference_t<Range> end = 1; end < count; ++end) {
    for (auto at = first + end; at != first; --at) {
      if (!std::invoke(less, std::invoke(projection, *at), std::invoke(projection, *(at - 1)))) {
        break;
      }
      std::ranges::iter_swap(at, at - 1);
    }
  }
}

}  // namespace tesela
