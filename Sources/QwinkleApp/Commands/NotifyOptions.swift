import ArgumentParser
import Logging
import QwinkleServer

/// The option of `qwinkle serve` for systemd.
struct NotifyOptions: ParsableArguments {
  @Flag(help: "Report the server's state to systemd, in a unit with Type=notify, and send pings for WatchdogSec.")
  var notify = false

  /// Returns the service manager to report to, or nil without the option or without `NOTIFY_SOCKET`.
  func serviceManager(log: Logger) -> ServiceManager? {
    notify ? ServiceManager.take(log: log) : nil
  }
}
