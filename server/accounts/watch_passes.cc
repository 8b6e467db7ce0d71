#include "server/accounts/watch_passes.h"

#include <charconv>
#include <cstdint>

#include "server/base/crypto.h"
#include "server/base/text_encoding.h"

namespace tesela::accounts {
namespace {

// "watch_", the end in seconds since 1970, "_", and the signature of table and end.
constexpr std::string_view kBegin = "watch_";

std::chrono::seconds since_epoch(WatchPasses::Time time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch());
}

}  // namespace

std::string WatchPasses::pass_until(TableId table, std::string_view end) const {
  std::string content = base::to_text(table);
  content += ' ';
  content += end;
  const auto mac = base::hmac_sha256(key_, content);
  std::string pass{kBegin};
  pass += end;
  pass += '_';
  pass += base::encode_base64url({reinterpret_cast<const char*>(mac.data()), mac.size()});
  return pass;
}

WatchPasses::Issued WatchPasses::issue(TableId table, Time now) const {
  const auto end = since_epoch(now + kWatchPassTime);
  return {pass_until(table, std::to_string(end.count())), Time{end}};
}

bool WatchPasses::admits(std::string_view pass, TableId table, Time now) const {
  if (!pass.starts_with(kBegin)) return false;
  std::string_view end = pass.substr(kBegin.size());
  end = end.substr(0, end.find('_'));
  std::int64_t seconds = 0;
  const auto [last, error] = std::from_chars(end.data(), end.data() + end.size(), seconds);
  if (error != std::errc{} || last != end.data() + end.size()) return false;
  return base::same_secret(pass, pass_until(table, end)) && seconds > since_epoch(now).count();
}

}  // namespace tesela::accounts
