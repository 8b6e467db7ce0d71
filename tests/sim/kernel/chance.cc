// What replaces the sources of random numbers.
#include <openssl/rand.h>
#include <sys/random.h>

#include <cstring>
#include <random>

#include "tests/sim/kernel/kernel.h"
#include "tests/sim/kernel/real.h"

namespace {

using tesela::sim::Kernel;

void fill(Kernel& kernel, void* into, std::size_t size) {
  auto* at = static_cast<unsigned char*>(into);
  for (std::size_t i = 0; i < size; ++i) at[i] = static_cast<unsigned char>(kernel.draw(256));
}

}  // namespace

extern "C" {

int RAND_bytes(unsigned char* into, int size) {
  Kernel* const kernel = Kernel::active();
  if (kernel == nullptr) return REAL(RAND_bytes, into, size);
  fill(*kernel, into, static_cast<std::size_t>(size));
  return 1;
}

ssize_t getrandom(void* into, size_t size, unsigned flags) {
  Kernel* const kernel = Kernel::active();
  if (kernel == nullptr) return REAL(getrandom, into, size, flags);
  fill(*kernel, into, size);
  return static_cast<ssize_t>(size);
}

}  // extern "C"

std::random_device::result_type std::random_device::_M_getval() {
  Kernel* const kernel = Kernel::active();
  if (kernel != nullptr) return static_cast<result_type>(kernel->draw());
  result_type value = 0;
  RAND_bytes(reinterpret_cast<unsigned char*>(&value), sizeof value);
  return value;
}
