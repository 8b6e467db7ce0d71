#include "clients/cli/base/worth_text.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "engine/strategy/measures.h"

namespace tesela::cli {
namespace {

/// Whole numbers without a fraction.
std::string number(double value, int digits) {
  std::array<char, 400> text{};
  const int shown = std::round(value) == value ? 0 : digits;
  const int size = std::snprintf(text.data(), text.size(), "%.*f", shown, value);
  return {text.data(), static_cast<std::size_t>(size)};
}

/// Fewer digits the larger the number.
int digits_of(double value) {
  const double size = std::abs(value);
  if (size >= 100) return 0;
  return size < 10 ? 3 : 1;
}

}  // namespace

bool is_relative(std::string_view measure) {
  return reading_of(measure) == Reading::kRelative;
}

std::string worth_words(std::string_view measure, double value, double best, std::size_t seats) {
  const std::string text = worth_text(measure, value, best);
  switch (reading_of(measure)) {
    case Reading::kShare:
      return text + (seats == 2 ? " to win" : " of the others left behind");
    case Reading::kRelative:
      return text + " of the best";
    case Reading::kCount:
      break;
  }
  return text + " " + std::string(measure);
}

std::string worth_text(std::string_view measure, double value, double best) {
  switch (reading_of(measure)) {
    case Reading::kShare:
      return number(100 * value, 1) + " %";
    case Reading::kRelative:
      // Where even the best loses, nothing is left to compare with.
      return number(best > 0 ? 100 * value / best : 0, 2) + " %";
    case Reading::kCount:
      break;
  }
  return number(value, digits_of(value));
}

}  // namespace tesela::cli
