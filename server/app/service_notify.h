// The service manager that has started the process (systemd with Type=notify), if one has.
#pragma once

#include <string_view>

namespace tesela {

/// Tells the service manager a state as sd_notify(3) does: "READY=1", "STOPPING=1", "WATCHDOG=1".
/// Without one that asks for it (NOTIFY_SOCKET) nothing happens. A failure is logged.
void notify_service_manager(std::string_view state);

}  // namespace tesela
