#include "clients/cli/table/table_lines.h"

#include <ostream>

namespace tesela::cli {

bool TableLines::open(const std::string& game) {
  view_.open(game);
  return view_.screen() != nullptr;
}

void TableLines::tell(const play::v1::Snapshot& snapshot) {
  if (view_.take(snapshot)) tell(snapshot.version(), "now");
}

void TableLines::tell(const play::v1::Event& event) {
  if (view_.take(event)) tell(event.version(), view_.words_of(event));
}

void TableLines::tell(std::uint64_t version, const std::string& what) {
  out_ << "version " << version << ' ' << what << ' '
       << view_.screen()->line(view_.picture().status) << '\n'
       << std::flush;
}

}  // namespace tesela::cli
