// The one way to the terminal: everything that is printed goes through base::printable.
#pragma once

#include <spdlog/fmt/fmt.h>

#include <concepts>
#include <ostream>
#include <string>
#include <string_view>

#include "server/base/printing/printable.h"

namespace tesela::cli {

/// Text that is fit for a terminal. Texts that it is made of are escaped, so that none of them
/// begins a line, moves the cursor or turns the direction of writing. One thread.
class Printed {
 public:
  Printed() = default;

  /// `format` is the program's own and may have line breaks; every text among the arguments is
  /// escaped, and other Printed are taken as they are.
  template <class... Args>
  [[nodiscard]] static Printed of(std::string_view format, const Args&... args) {
    Printed made;
    made.text_ = fmt::format(fmt::runtime(format), fit(args)...);
    return made;
  }

  /// Lines that the program or a library has made of escaped texts, such as JSON: each is escaped
  /// once more, and the line breaks stay.
  [[nodiscard]] static Printed lines(std::string_view text) {
    Printed made;
    for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(end + 1)) {
      end = text.find('\n');
      made.text_ += base::printable(text.substr(0, end));
      if (end == std::string_view::npos) break;
      made.text_ += '\n';
    }
    return made;
  }

  Printed& operator+=(const Printed& other) {
    text_ += other.text_;
    return *this;
  }
  friend Printed operator+(Printed first, const Printed& second) { return first += second; }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  template <class T>
  static auto fit(const T& argument) {
    if constexpr (std::same_as<T, Printed>) {
      return argument.text();
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
      return base::printable(argument);
    } else {
      return argument;
    }
  }

  std::string text_;
};

/// In one piece, since other threads may print too.
inline void print(std::ostream& out, const Printed& what) {
  out << what.text() << std::flush;
}

template <class... Args>
void print(std::ostream& out, std::string_view format, const Args&... args) {
  print(out, Printed::of(format, args...));
}

}  // namespace tesela::cli
