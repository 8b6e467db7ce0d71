#include "server/base/random.h"

#include <openssl/rand.h>

#include <stdexcept>

namespace tesela::base {
namespace {

template <class Bytes>
void fill(Bytes& bytes) {
  if (RAND_bytes(reinterpret_cast<unsigned char*>(&bytes), sizeof bytes) != 1) {
    throw std::runtime_error("the system gives no random bytes");
  }
}

std::uint64_t random_id() {
  std::uint64_t id = 0;
  while (id == 0) {
    fill(id);
    id >>= 1U;
  }
  return id;
}

}  // namespace

std::array<std::uint8_t, 32> random_seed() {
  std::array<std::uint8_t, 32> seed{};
  fill(seed);
  return seed;
}

std::array<std::uint8_t, 16> random_secret() {
  std::array<std::uint8_t, 16> secret{};
  fill(secret);
  return secret;
}

TableId random_table_id() {
  return TableId{random_id()};
}
PlayerId random_player_id() {
  return PlayerId{random_id()};
}
TicketId random_ticket_id() {
  return TicketId{random_id()};
}

}  // namespace tesela::base
