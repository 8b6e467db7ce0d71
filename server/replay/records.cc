#include "server/replay/records.h"

#include <utility>

#include "server/base/limits.h"

namespace tesela::replay {

using boost::asio::awaitable;

std::unexpected<Error> damaged(Version version, const std::string& what) {
  return refuse(ErrorCode::kCorrupt,
                "The log is damaged at version " + std::to_string(version.value) + ": " + what);
}

awaitable<Expected<std::optional<codec::Record>>> Records::read() {
  const Version expected = next(version_);
  if (until_ != Version{} && expected > until_) co_return std::nullopt;
  if (next_ == page_.size()) {
    if (last_page_) co_return std::nullopt;
    auto page = co_await log_.read(table_, expected, limits::kLogReadMax);
    if (!page) co_return std::unexpected(std::move(page.error()));
    page_ = std::move(*page);
    next_ = 0;
    last_page_ = page_.size() < limits::kLogReadMax;
    if (page_.empty()) co_return std::nullopt;
  }
  const store::Entry& entry = page_[next_];
  if (entry.version != expected) co_return damaged(expected, "it is missing.");
  auto record = codec::decode_record(entry.record);
  if (!record) co_return damaged(expected, record.error().message);
  ++next_;
  version_ = expected;
  co_return std::optional{std::move(*record)};
}

}  // namespace tesela::replay
