#include "server/store/sqlite/files/page_walk.h"

#include <array>
#include <fstream>
#include <unordered_set>

#include "server/store/sqlite/files/checked_files.h"
#include "server/store/sqlite/files/log_frames.h"
#include "server/store/sqlite/files/log_walk.h"

namespace tesela::store {
namespace {

std::unordered_set<std::uint64_t> pages_in(const std::filesystem::path& log) {
  std::unordered_set<std::uint64_t> pages;
  const auto walked = walk_log(log);
  if (!walked) return pages;
  std::ifstream file(log, std::ios::binary);
  std::array<char, kFrameHeaderBytes> frame{};
  for (std::uint64_t at = kLogHeaderBytes; at < walked->used_bytes;
       at += kFrameHeaderBytes + kPageBytes) {
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(frame.data(), frame.size())) break;
    pages.insert(word_at({frame.data(), frame.size()}, 0));
  }
  return pages;
}

}  // namespace

std::vector<std::uint64_t> damaged_pages(const std::filesystem::path& database) {
  const auto replaced = pages_in(database.string() + "-wal");
  std::vector<std::uint64_t> damaged;
  std::ifstream file(database, std::ios::binary);
  std::array<char, kPageBytes> page{};
  for (std::uint64_t number = 1; file.read(page.data(), page.size()); ++number) {
    if (!is_sound_page(page.data(), number) && !replaced.contains(number)) {
      damaged.push_back(number);
    }
  }
  return damaged;
}

}  // namespace tesela::store
