/// Reads the outstanding replies before another program gets the terminal, which would read them as typed. Replies may
/// arrive in pieces with pauses between them, so reading ends when none is outstanding, after a silence, or at a time
/// limit.
@MainActor
struct ReplyDrain {
  /// Result of one read.
  enum Reading {
    /// A reply, or a piece of one.
    case reply
    /// Only keys: they don't show that a reply is on its way.
    case keys
    /// No more input can arrive.
    case end
  }

  /// Silence, in milliseconds, after which no piece of a reply is expected.
  static let silence: Int32 = 300
  /// Time limit. The user waits for the shell during the drain.
  static let limit = Duration.seconds(1)
  /// Longest single wait for input, in milliseconds.
  private static let look: Int32 = 20

  var now: @MainActor () -> ContinuousClock.Instant = { .now }
  /// Waits at most some milliseconds and returns whether the descriptor has input.
  var awaitInput: @MainActor (_ descriptor: Int32, _ milliseconds: Int32) -> Bool = {
    TerminalInput.hasInput(on: $0, within: $1)
  }

  /// Calls `read` for each input on `descriptor` while `isOwed` returns true, with the milliseconds of silence since
  /// the latest reply. The silence is the sum of unsuccessful waits rather than a time on the clock, so that an
  /// overloaded machine does not pass for a silent terminal.
  func run(on descriptor: Int32, while isOwed: () -> Bool, reading read: (_ silence: Int32) -> Reading) {
    let start = now()
    var quiet: Int32 = 0
    while isOwed(), quiet < Self.silence, now() - start < Self.limit {
      guard awaitInput(descriptor, Self.look) else {
        quiet += Self.look
        continue
      }
      switch read(quiet) {
      case .reply: quiet = 0
      case .keys: break
      case .end: return
      }
    }
  }
}
