import Timekeeping

/// Checks whether the server accepts the token, after a stream got 401. One check serves all streams and transports.
@MainActor
final class StreamTokenCheck {
  /// Returns whether the server accepts the token. If nil, the check is unavailable.
  var ask: (@MainActor () async -> Bool)?
  private var isAccepted = false
  private var lines: [StreamLine] = []
  private var task: Task<Void, Never>?

  /// Whether a 401 may be caused by the token.
  var isNeeded: Bool { ask != nil && !isAccepted }

  /// Starts the check, unless one is in progress. Calls `done` with the result, and with all lines refused in the
  /// meantime.
  func begin(
    for line: StreamLine, in ledger: ActivityLedger, done: @escaping @MainActor (Bool, [StreamLine]) -> Void
  ) {
    guard let ask else { return }
    lines.append(line)
    guard task == nil else { return }
    task = ledger.task("verifying the account") { [weak self] in
      let isAccepted = await ask()
      guard let self, !Task.isCancelled else { return }
      let refused = lines
      (self.isAccepted, lines, task) = (isAccepted, [], nil)
      done(isAccepted, refused)
    }
  }

  /// Discards the result, which applies to another token or an earlier time.
  func reset() {
    task?.cancel()
    (isAccepted, lines, task) = (false, [], nil)
  }
}
