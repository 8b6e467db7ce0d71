// The dice of every game: ChaCha20 (RFC 8439) in counter mode, keyed by a table's secret seed.
// Draws cannot be predicted from earlier ones. The same seed gives the same draws on every platform
// and with every compiler, for as long as there are logs to replay.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>

#include "engine/core/chacha20.h"

namespace tesela {

/// A stream of 32-bit words and the draws made of them.
///
/// The stream: words 0..15 are the block with counter 0, words 16..31 the block with counter 1, and
/// so on; the nonce is zero, but for its first word, which carries the counter past 2^32 blocks.
/// Each word is used once, in order. A draw consumes a whole number of words and depends on nothing
/// else, so it does not matter how many blocks are computed at a time.
///
/// A value: a copy goes on with the same draws. Not for use by two threads at a time.
class Rng {
 public:
  /// What there is to keep of dice that rest: forty bytes in place of words drawn in advance.
  struct Place {
    ChaChaKey key{};
    std::uint64_t consumed{};

    friend bool operator==(const Place&, const Place&) = default;
  };

  /// A block of the stream, kept beside a place so that the next draws need not compute it again.
  struct Block {
    std::optional<std::uint64_t> counter{};  // none: no block
    ChaChaBlock words{};
  };

  /// Stands before word 0. The seed is secret until the game is over.
  explicit Rng(const Seed& seed);
  /// Goes on from there.
  explicit Rng(const Place& place) : Rng(place, Block{}) {}
  /// The same with a block of this stream, which changes the speed and never the words.
  Rng(const Place& place, const Block& near);

  /// A number from 0..n-1, each exactly as likely. `n` is at least 1.
  ///
  /// Consumes one word w and answers floor(w * n / 2^32), unless (w * n) mod 2^32 < 2^32 mod n:
  /// then w is thrown away and the next word is taken (Lemire's method). So 1 is drawn with one
  /// word too.
  [[nodiscard]] std::uint32_t uniform(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{word()} * n;
    if (static_cast<std::uint32_t>(product) < n) [[unlikely]] {
      const std::uint32_t threshold = (0U - n) % n;
      while (static_cast<std::uint32_t>(product) < threshold) {
        product = std::uint64_t{word()} * n;
      }
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Puts `items` into an order of which each is exactly as likely (Fisher–Yates): for i from the
  /// last place down to 1, item i changes places with item uniform(i + 1). At most 2^32 - 1 items.
  template <std::ranges::random_access_range Items>
  void shuffle(Items&& items) {
    const auto first = std::ranges::begin(items);
    for (auto i = std::ranges::size(items); i > 1; --i) {
      const std::uint32_t j = uniform(static_cast<std::uint32_t>(i));
      using Distance = std::ranges::range_difference_t<Items>;
      std::ranges::iter_swap(first + static_cast<Distance>(i - 1),
                             first + static_cast<Distance>(j));
    }
  }

  /// The next word of the stream.
  [[nodiscard]] std::uint32_t word() {
    if (next_ == kChaChaBatchWords) [[unlikely]] {
      refill();
    }
    const std::uint32_t drawn = words_[next_];
    ++next_;
    return drawn;
  }

  /// How many words have been consumed.
  [[nodiscard]] std::uint64_t consumed() const {
    return block_ * kChaChaBlockWords + next_ - kChaChaBatchWords + skip_;
  }
  [[nodiscard]] Place place() const { return {.key = key_, .consumed = consumed()}; }
  /// The block with the next word, if it was computed.
  [[nodiscard]] Block block() const;

  /// Whether all further draws are equal.
  friend bool operator==(const Rng& a, const Rng& b) { return a.place() == b.place(); }

 private:
  void refill();

  /// The block at the end of words_ is the next one now.
  void begin_last_block();

  // Those from next_ on have been computed. After resuming at a place, mostly a word or two are
  // drawn, for one move: the first blocks are then computed alone, and stored at the end.
  std::array<std::uint32_t, kChaChaBatchWords> words_;
  ChaChaKey key_;
  std::uint64_t block_{0};               // the counter of the first block after words_
  std::size_t next_{kChaChaBatchWords};  // the first of words_ that is not consumed
  std::size_t skip_{0};                  // of the next block: consumed already
  int alone_{0};                         // how many of the next blocks are computed alone
};

}  // namespace tesela
