#include "clients/cli/base/minute_text.h"

#include <google/protobuf/util/time_util.h>

namespace tesela::cli {

std::string minute_text(const google::protobuf::Timestamp& time) {
  constexpr std::size_t kSize = 16;
  constexpr std::size_t kAfterDate = 10;
  std::string text = google::protobuf::util::TimeUtil::ToString(time).substr(0, kSize);
  text.replace(kAfterDate, 1, " ");
  return text;
}

}  // namespace tesela::cli
