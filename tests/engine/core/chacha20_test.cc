// The vectors of RFC 8439: section 2.3.2 and appendix A.1.
#include "engine/core/chacha20.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tesela {
namespace {

std::vector<std::uint8_t> bytes_of(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string digits{hex};
  std::erase_if(digits, [](char c) { return c == ' ' || c == '\n'; });
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(digit(digits[i]) * 16 + digit(digits[i + 1])));
  }
  return bytes;
}

std::vector<std::uint8_t> serialised(const ChaChaBlock& block) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint32_t word : block) {
    for (int shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(word >> shift));
    }
  }
  return bytes;
}

ChaChaKey key_of(std::string_view hex) {
  Seed seed{};
  std::ranges::copy(bytes_of(hex), seed.begin());
  return chacha20_key(seed);
}

constexpr std::array<std::uint32_t, 3> kNoNonce{};

TEST(ChaCha20, BlockOfSection232) {
  const ChaChaKey key = key_of("000102030405060708090a0b0c0d0e0f 101112131415161718191a1b1c1d1e1f");
  const ChaChaBlock block = chacha20_block(key, 1, {0x09000000, 0x4a000000, 0x00000000});
  EXPECT_THAT(block, testing::ElementsAre(0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3,
                                          0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3,
                                          0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9,
                                          0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2));
}

struct Appendix {
  const char* name;
  std::string_view key;
  std::uint32_t counter;
  std::array<std::uint32_t, 3> nonce;
  std::string_view stream;
};

constexpr std::string_view kZeroKey =
    "0000000000000000000000000000000000000000000000000000000000000000";

class ChaCha20Appendix : public testing::TestWithParam<Appendix> {};

TEST_P(ChaCha20Appendix, Block) {
  const Appendix& vector = GetParam();
  const ChaChaBlock block = chacha20_block(key_of(vector.key), vector.counter, vector.nonce);
  EXPECT_EQ(serialised(block), bytes_of(vector.stream));
}

INSTANTIATE_TEST_SUITE_P(
    A1, ChaCha20Appendix,
    testing::Values(Appendix{"TestVector1", kZeroKey, 0, kNoNonce,
                             "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
                             "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"},
                    Appendix{"TestVector2", kZeroKey, 1, kNoNonce,
                             "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
                             "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"},
                    Appendix{"TestVector3",
                             "0000000000000000000000000000000000000000000000000000000000000001", 1,
                             kNoNonce,
                             "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
                             "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0"},
                    Appendix{"TestVector4",
                             "00ff000000000000000000000000000000000000000000000000000000000000", 2,
                             kNoNonce,
                             "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
                             "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096"},
                    Appendix{"TestVector5",
                             kZeroKey,
                             0,
                             {0, 0, 0x02000000},
                             "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
                             "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d"}),
    [](const auto& vector) { return std::string{vector.param.name}; });

class ChaCha20Batch : public testing::TestWithParam<ChaChaLanes> {
 protected:
  void SetUp() override {
    if (GetParam() > widest_chacha_lanes()) {
      GTEST_SKIP() << "this machine has no such vectors";
    }
  }
};

TEST_P(ChaCha20Batch, IsTheBlocksOneAfterTheOther) {
  const ChaChaKey key =
      key_of("00ff0203 04050607 08090a0b 0c0d0e0f 10111213 14151617 18191a1b ffffffff");
  std::array<std::uint32_t, kChaChaBatchWords> words{};
  for (const std::uint64_t first : {0ULL, 16ULL, 0x123456780ULL, 0xfffffff8ULL}) {
    chacha20_batch(key, first, GetParam(), words);
    for (std::size_t i = 0; i < kChaChaBatchBlocks; ++i) {
      const std::uint64_t counter = first + i;
      const ChaChaBlock block = chacha20_block(key, static_cast<std::uint32_t>(counter),
                                               {static_cast<std::uint32_t>(counter >> 32), 0, 0});
      const auto batched = std::span{words}.subspan(i * kChaChaBlockWords, kChaChaBlockWords);
      EXPECT_TRUE(std::ranges::equal(block, batched)) << "block " << counter;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, ChaCha20Batch,
                         testing::Values(ChaChaLanes::k4, ChaChaLanes::k8, ChaChaLanes::k16),
                         [](const auto& lanes) {
                           return std::to_string(static_cast<int>(lanes.param));
                         });

}  // namespace
}  // namespace tesela
