#include "clients/cli/table/course_words.h"

#include "clients/cli/screen/seat_names.h"
#include "tesela/play/v1/course.pb.h"

namespace tesela::cli {

std::optional<std::string> course_words(const play::v1::Event& event,
                                        const std::vector<std::string>& names) {
  const std::string who = name_of(event.seat(), names);
  if (event.body().Is<play::v1::Resigned>()) return who + " resigns";
  if (event.body().Is<play::v1::Undone>()) return who + " takes a move back";
  return std::nullopt;
}

std::string timeout_words(const play::v1::Event& event, const std::vector<std::string>& names) {
  if (!event.timed_out()) return {};
  return name_of(event.seat(), names) + " ran out of time, " + event.strategy() + " moves instead";
}

}  // namespace tesela::cli
