/// Reads outstanding replies before another program gets the terminal and reads them as typed keys. Replies may arrive
/// in pieces with pauses between them. Reading ends when no reply is outstanding, after a silence, or at a time limit.
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
  /// Time limit. The user waits for the shell during the drain.
  static let limit = Duration.seconds(1)
  /// Longest single wait for input, in milliseconds.
  private static let look: Int32 = 20

  var now: @MainActor () -> ContinuousClock.Instant = { .now }
  /// Waits at most the given number of milliseconds and returns whether the descriptor has input.
  var awaitInput: @MainActor (_ descriptor: Int32, _ milliseconds: Int32) -> Bool = {
    TerminalInput.hasInput(on: $0, within: $1)
  }

  /// Calls `read` for each input on `descriptor` while `isOwed` returns true, with the milliseconds of silence since
  /// the latest reply. The silence is the sum of unsuccessful waits, not a difference of times. Otherwise an overloaded
  /// machine would look like a silent terminal.
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
