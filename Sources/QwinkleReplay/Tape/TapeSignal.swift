/// A signal that a tape can send. The raw value is its name, without `SIG`.
public enum TapeSignal: String, CaseIterable, Hashable, Sendable {
  case hangup = "HUP"
  case interrupt = "INT"
  case quit = "QUIT"
  case terminate = "TERM"
  case stop = "TSTP"
  case `continue` = "CONT"
  case windowChange = "WINCH"
  case brokenPipe = "PIPE"
  case user1 = "USR1"
  case user2 = "USR2"

  /// Accepts `TERM` or `SIGTERM`. Returns nil for unknown names.
  init?(name: String) {
    self.init(rawValue: name.hasPrefix("SIG") ? String(name.dropFirst(3)) : name)
  }
}
