#include "clients/cli/base/progress.h"

#include <cmath>
#include <string_view>

namespace tesela::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenDrawings{100};
constexpr std::string_view kWipe = "\r\x1b[K";

}  // namespace

Progress::Progress(std::ostream& out, bool shown, std::uint64_t total, std::string what)
    : out_{out},
      shown_{shown},
      total_{total},
      what_{std::move(what)},
      start_{Clock::now()},
      next_{start_ + kBetweenDrawings} {}

Progress::~Progress() {
  if (shown_) out_ << kWipe << std::flush;
}

void Progress::advance(Clock::time_point now) {
  ++done_;
  if (!shown_ || now < next_) return;
  next_ = now + kBetweenDrawings;
  out_ << kWipe << progress_line(done_, total_, what_, now - start_) << std::flush;
}

std::string progress_line(std::uint64_t done, std::uint64_t total, const std::string& what,
                          std::chrono::duration<double> elapsed) {
  constexpr std::size_t kWidth = 20;
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const auto full = static_cast<std::size_t>(share * kWidth);
  const double left = std::ceil(elapsed.count() * (1 - share) / share);
  return "[" + std::string(full, '#') + std::string(kWidth - full, '-') + "]  " +
         std::to_string(done) + " of " + std::to_string(total) + " " + what + ", " +
         std::to_string(static_cast<std::uint64_t>(left)) + " s left";
}

}  // namespace tesela::cli
