#include "server/archive/record_list.h"

namespace tesela::archive {

void RecordList::add(std::string_view record) {
  bytes_ += record;
  ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
}

std::string_view RecordList::operator[](std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(bytes_).substr(begin, ends_[index] - begin);
}

base::Sha256 RecordList::hash() const {
  std::string hashed;
  hashed.reserve(bytes_.size() + 4 * ends_.size());
  for (std::size_t i = 0; i < size(); ++i) {
    const std::string_view record = (*this)[i];
    for (unsigned shift = 0; shift < 32; shift += 8) {
      hashed += static_cast<char>(record.size() >> shift & 0xffU);
    }
    hashed += record;
  }
  return base::sha256(hashed);
}

}  // namespace tesela::archive
