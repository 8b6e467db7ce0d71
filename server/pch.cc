// Holds the precompiled header that every target with PCH reuses.

#ifdef __clang__
#include <fmt/format.h>

FMT_BEGIN_NAMESPACE
namespace detail {

// Clang writes the name of this in another way than GCC, which libfmt was made with.
template void vformat_to<char>(buffer<char>&, basic_string_view<char>,
                               basic_format_args<buffer_context<char>>, locale_ref);

}  // namespace detail
FMT_END_NAMESPACE
#endif
