// What a shared database knows of a key of its servers.
#pragma once

#include <string>

namespace tesela::store {

/// Tells keys apart, without telling anything about them.
struct KeyFingerprint {
  std::string key;          // its name: "token key"
  std::string option;       // that gives it: "--token-secret-file"
  std::string fingerprint;  // 32 bytes
  std::string former{};     // of the key that this one replaces; empty: of none
};

}  // namespace tesela::store
