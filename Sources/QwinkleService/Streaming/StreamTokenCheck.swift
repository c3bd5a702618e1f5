import Timekeeping

/// The question whether the server accepts the token, after it has answered 401 to a stream. It is asked once for all
/// streams and transports.
@MainActor
final class StreamTokenCheck {
  /// Returns whether the server accepts the token; nil if it can't be asked.
  var ask: (@MainActor () async -> Bool)?
  private var isAccepted = false
  private var lines: [StreamLine] = []
  private var task: Task<Void, Never>?

  /// Whether a 401 may be about the token.
  var isNeeded: Bool { ask != nil && !isAccepted }

  /// Asks, unless the question is pending. `done` receives the answer, and all lines refused before the answer.
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

  /// Forgets the answer, which is about another token or an earlier time.
  func reset() {
    task?.cancel()
    (isAccepted, lines, task) = (false, [], nil)
  }
}
