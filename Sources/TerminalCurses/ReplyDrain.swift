/// Reads outstanding replies before the program releases the terminal. Otherwise, the next program would read the
/// replies as typed keys. Replies may arrive in pieces with pauses between them. Reading ends when no reply is
/// outstanding, after a silence, or at a time limit.
@MainActor
struct ReplyDrain {
  /// Result of one read.
  enum Reading {
    /// A reply, or a piece of one.
    case reply
    /// Only keys, which don't indicate that a reply is arriving.
    case keys
    /// No more input can arrive.
    case end
  }

  /// Silence, in milliseconds, after which no piece of a reply is expected.
  static let silence: Int32 = 300
  /// Time limit. Until the drain ends, the user waits for the shell.
  static let limit = Duration.seconds(1)
  /// Longest single wait for input, in milliseconds.
  private static let look: Int32 = 20

  var now: @MainActor () -> ContinuousClock.Instant = { .now }
  /// Waits at most the given number of milliseconds and returns whether the descriptor has input.
  var awaitInput: @MainActor (_ descriptor: Int32, _ milliseconds: Int32) -> Bool = {
    TerminalInput.hasInput(on: $0, within: $1)
  }

  /// Calls `read` whenever `descriptor` has input, while `isOwed` returns true because replies are outstanding.
  /// `silence` is the number of milliseconds without input since the latest reply. It is the sum of unsuccessful waits.
  /// A difference of times would make an overloaded machine look like a silent terminal.
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
