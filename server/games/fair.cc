#include "server/games/fair.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace tesela::games {
namespace {

// No prefix is the beginning of another, and each has a version, so that different hashes never
// have the same input.
constexpr std::string_view kCommitmentDomain = "tesela.commitment";
constexpr std::string_view kSeedDomain = "tesela.seed";
constexpr std::string_view kDailyDomain = "tesela.daily";
constexpr std::uint8_t kEncodingVersion = 1;

/// The input of a hash.
class Encoding {
 public:
  explicit Encoding(std::string_view domain) : bytes_(domain) { byte(kEncodingVersion); }

  Encoding& byte(std::uint8_t value) {
    bytes_ += static_cast<char>(value);
    return *this;
  }
  Encoding& raw(std::string_view value) {
    bytes_ += value;
    return *this;
  }
  Encoding& raw(const Seed& seed) {
    bytes_.append(reinterpret_cast<const char*>(seed.data()), seed.size());
    return *this;
  }
  // Prefixed with its length: four bytes, big-endian.
  Encoding& measured(std::string_view value) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
      byte(static_cast<std::uint8_t>(value.size() >> shift));
    }
    return raw(value);
  }

  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// YYYY-MM-DD
std::string text_of(std::chrono::year_month_day day) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text.data();
}

}  // namespace

std::optional<Seed> seed_of(std::string_view bytes) {
  Seed seed{};
  if (bytes.size() != seed.size()) return std::nullopt;
  std::ranges::copy(bytes, seed.begin());
  return seed;
}

base::Sha256 commitment(const Seed& server_seed, const Terms& terms) {
  Encoding input{kCommitmentDomain};
  input.raw(server_seed).measured(terms.game).measured(terms.config).byte(terms.seats);
  return base::sha256(input.bytes());
}

Expected<void> check_contribution(std::string_view bytes) {
  if (bytes.size() <= kContributionBytesMax) return {};
  return refuse(ErrorCode::kInvalidArgument,
                "contribution must be at most " + std::to_string(kContributionBytesMax) +
                    " bytes, not " + std::to_string(bytes.size()) + ".");
}

Expected<Seed> game_seed(const Seed& server_seed, std::span<const Contribution> contributions) {
  Encoding input{kSeedDomain};
  input.raw(server_seed);
  const Contribution* before = nullptr;
  for (const Contribution& added : contributions) {
    if (auto sound = check_contribution(added.bytes); !sound) {
      return std::unexpected(std::move(sound.error()));
    }
    if (before != nullptr && before->seat >= added.seat) {
      return refuse(ErrorCode::kInvalidArgument,
                    "The players add to the dice in the order of their seats, each once.");
    }
    input.byte(added.seat.value).byte(static_cast<std::uint8_t>(added.bytes.size()));
    input.raw(added.bytes);
    before = &added;
  }
  return base::sha256(input.bytes());
}

Seed daily_seed(std::string_view secret, std::chrono::year_month_day day, std::string_view game) {
  Encoding input{kDailyDomain};
  input.raw(text_of(day)).measured(game);
  return base::hmac_sha256(secret, input.bytes());
}

}  // namespace tesela::games
