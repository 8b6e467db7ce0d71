// A first-in, first-out queue without memory of its own while it is empty: thousands of idle tables
// and connections have one each.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace tesela::tables {

template <class T>
class Fifo {
 public:
  [[nodiscard]] bool empty() const { return first_ == items_.size(); }
  [[nodiscard]] std::size_t size() const { return items_.size() - first_; }

  void push(T&& item) { items_.push_back(std::move(item)); }

  /// Removes and returns the oldest item; empty when there is none.
  [[nodiscard]] std::optional<T> pop() {
    if (empty()) return std::nullopt;
    std::optional<T> item(std::move(items_[first_++]));
    if (empty()) {
      clear();
    } else if (first_ > size()) {
      // A queue that is never empty must not grow without bound.
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    return item;
  }

  void clear() {
    items_ = std::vector<T>();
    first_ = 0;
  }

 private:
  std::vector<T> items_;
  std::size_t first_ = 0;  // the index of the oldest item
};

}  // namespace tesela::tables
