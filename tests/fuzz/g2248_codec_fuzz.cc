// 2248's messages from bytes.
#include <cstddef>
#include <cstdint>

#include "server/games/g2248.h"
#include "tests/fuzz/codec_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tesela::fuzz::read_anything<tesela::games::G2248Codec>({data, size});
  return 0;
}
