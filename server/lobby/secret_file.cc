#include "server/lobby/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "server/ops/random.h"

namespace tesela::lobby {
namespace {

std::unexpected<Error> cannot(std::string what, const std::filesystem::path& file, ErrorCode code) {
  return refuse(code, std::move(what) + " " + file.string() + ": " +
                          std::generic_category().message(errno) + ".");
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

bool sync_folder(const std::filesystem::path& folder) {
  const Descriptor directory{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  return directory.get() >= 0 && ::fsync(directory.get()) == 0;
}

// Written beside and renamed: a crash leaves either no key or a whole one.
Expected<std::string> make_secret(SecretKind kind, const std::filesystem::path& file) {
  const std::string the_key = "The " + std::string(kind.what);
  const auto bytes = ops::random_seed();
  static_assert(std::tuple_size_v<decltype(bytes)> == kSecretBytes);
  std::string secret{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  std::filesystem::path draft = file;
  draft += ".tmp";
  {
    const Descriptor out{::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    if (out.get() < 0 || ::fchmod(out.get(), 0600) != 0 ||
        ::write(out.get(), secret.data(), secret.size()) != static_cast<ssize_t>(secret.size()) ||
        ::fsync(out.get()) != 0) {
      return cannot(the_key + " cannot be written to", draft, ErrorCode::kUnavailable);
    }
  }
  if (::rename(draft.c_str(), file.c_str()) != 0 || !sync_folder(file.parent_path())) {
    return cannot(the_key + " cannot be put at", file, ErrorCode::kUnavailable);
  }
  return secret;
}

}  // namespace

Expected<std::string> read_secret(SecretKind kind, const std::filesystem::path& file) {
  const std::string the_key = "The " + std::string(kind.what);
  errno = 0;
  std::ifstream in{file, std::ios::binary};
  std::string secret{std::istreambuf_iterator<char>{in}, std::istreambuf_iterator<char>{}};
  if (!in) return cannot(the_key + " cannot be read from", file, ErrorCode::kNotFound);
  if (secret.size() < kSecretBytes) {
    return refuse(ErrorCode::kInvalidArgument,
                  the_key + " in " + file.string() + " has " + std::to_string(secret.size()) +
                      " bytes; it needs at least " + std::to_string(kSecretBytes) + ".");
  }
  return secret;
}

Expected<std::string> own_secret(SecretKind kind, const std::filesystem::path& data) {
  const std::filesystem::path file = data / kind.file;
  std::error_code error;
  if (std::filesystem::exists(file, error)) return read_secret(kind, file);
  std::filesystem::create_directories(data, error);
  return make_secret(kind, file);
}

}  // namespace tesela::lobby
