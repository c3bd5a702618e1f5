import Timekeeping

/// Checks whether the server still accepts the token after it has refused a stream with 401. One check serves all
/// streams and transports.
@MainActor
final class StreamTokenCheck {
  /// Sends a request and returns whether the server accepts the token. If nil, no check is possible.
  var ask: (@MainActor () async -> Bool)?
  private var isAccepted = false
  private var lines: [StreamLine] = []
  private var task: Task<Void, Never>?

  /// Whether a 401 may be caused by the token: a check is possible, and none has succeeded yet.
  var isNeeded: Bool { ask != nil && !isAccepted }

  /// Starts the check, unless one is in progress. After the check, calls `done` with the result and with all
  /// connections that were refused before the result arrived.
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

  /// Cancels the check and forgets the last result, because it may be outdated or apply to another token.
  func reset() {
    task?.cancel()
    (isAccepted, lines, task) = (false, [], nil)
  }
}
