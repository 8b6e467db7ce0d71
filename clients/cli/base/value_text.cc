#include "clients/cli/base/value_text.h"

#include <google/protobuf/util/time_util.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <random>

#include "engine/strategy/strategy.h"

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

Seed read_seed(std::string_view text) {
  Seed seed{};
  const auto is_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  if (text.size() == 2 * seed.size() && std::ranges::all_of(text, is_digit)) {
    for (std::size_t i = 0; i < seed.size(); ++i) {
      std::from_chars(&text[2 * i], &text[2 * i] + 2, seed[i], 16);
    }
    return seed;
  }
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), seed.data());
  return seed;
}

Seed random_seed() {
  std::random_device device;
  Seed seed{};
  std::ranges::generate(seed, [&] { return static_cast<std::uint8_t>(device()); });
  return seed;
}

std::string to_text(const Seed& seed) {
  return hex({reinterpret_cast<const char*>(seed.data()), seed.size()});
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char character : bytes) {
    const auto byte = static_cast<std::uint8_t>(character);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0xfU];
  }
  return text;
}

namespace {

struct Unit {
  std::string_view name;
  double us;
};
constexpr std::array kUnits{Unit{"us", 1}, Unit{"ms", 1e3}, Unit{"s", 1e6}, Unit{"min", 60e6}};
constexpr double kMaxUs = 24 * 60 * 60e6;

std::string two_digits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

}  // namespace

Expected<std::chrono::microseconds> read_duration(std::string_view text) {
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto read_size = static_cast<std::size_t>(read.ptr - text.data());
  const auto unit = std::ranges::find(kUnits, text.substr(read_size), &Unit::name);
  const double us = unit == kUnits.end() ? 0 : number * unit->us;
  if (read.ec != std::errc{} || !(us >= 1 && us <= kMaxUs)) {
    return refuse(ErrorCode::kInvalidArgument,
                  "'" + std::string{text} +
                      "' is not a time from 1us to a day, such as 250ms, 1.5s or 2min.");
  }
  return std::chrono::microseconds{static_cast<std::int64_t>(us)};
}

std::string time_words(std::int64_t ms) {
  constexpr std::int64_t kSecondMs = 1000;
  const std::int64_t seconds = (std::max<std::int64_t>(ms, 0) + kSecondMs - 1) / kSecondMs;
  const std::int64_t minutes = seconds / 60;
  const std::int64_t hours = minutes / 60;
  if (hours >= 24) return std::to_string(hours / 24) + "d " + std::to_string(hours % 24) + "h";
  if (hours == 0) return std::to_string(minutes) + ":" + two_digits(seconds % 60);
  return std::to_string(hours) + ":" + two_digits(minutes % 60) + ":" + two_digits(seconds % 60);
}

std::string minute_text(const google::protobuf::Timestamp& time) {
  constexpr std::size_t kSize = 16;
  constexpr std::size_t kAfterDate = 10;
  std::string text = google::protobuf::util::TimeUtil::ToString(time).substr(0, kSize);
  text.replace(kAfterDate, 1, " ");
  return text;
}

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
