#include "server/store/bot_account.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "server/base/sha256.h"

namespace tesela::store {

HashedAccount hashed_account(std::string_view kind, std::string_view first,
                             std::string_view second) {
  std::string named(kind);
  named += '\0';
  named += first;
  named += '\0';
  named += second;
  const base::Sha256 hash = base::sha256(named);
  std::uint64_t id = 0;
  for (std::size_t i = 0; i < sizeof id; ++i) id = id << 8U | hash[i];
  return {.id = PlayerId{std::max<std::uint64_t>(id >> 1U, 1)},  // a positive number of 63 bits
          .identity = std::string(hash.begin(), hash.end())};
}

HashedAccount bot_account(std::string_view game, std::string_view strategy) {
  return hashed_account("tesela.bot.v1", game, strategy);
}

}  // namespace tesela::store
