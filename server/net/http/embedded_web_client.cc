#include <vector>

#include "server/base/bytes.h"
#include "server/net/http/static_files.h"

extern "C" const tesela::base::EmbeddedFile tesela_web_client_begin[];
extern "C" const tesela::base::EmbeddedFile tesela_web_client_end[];

namespace tesela::net {

std::span<const EmbeddedFile> embedded_web_client() {
  static const auto files = [] {
    std::vector<EmbeddedFile> found;
    for (const auto* file = tesela_web_client_begin; file != tesela_web_client_end; ++file) {
      found.push_back({file->path, {file->begin, file->end}});
    }
    return found;
  }();
  return files;
}

}  // namespace tesela::net
