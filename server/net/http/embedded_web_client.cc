#include <vector>

#include "server/net/http/static_files.h"

// The table that cmake/embed.cmake writes in assembler: a name and the bounds of its content.
struct TeselaEmbedded {
  const char* path;
  const char* begin;
  const char* end;
};
extern "C" const TeselaEmbedded tesela_web_client_begin[];
extern "C" const TeselaEmbedded tesela_web_client_end[];

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
