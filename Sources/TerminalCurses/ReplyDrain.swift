/// The last reading of a terminal that the program leaves. Replies may arrive in pieces with pauses between them, so it
/// goes on until the terminal owes nothing, is silent for long enough, or the time is over.
enum ReplyDrain {
  /// Result of one look at the input.
  enum Reading {
    /// Nothing arrived in the time given.
    case silence
    /// A reply, or a piece of a sequence.
    case reply
    /// Only keys: they don't show that a reply is on its way.
    case other
    /// No more input can arrive.
    case end
  }

  /// Wait of one look, in milliseconds.
  static let look: Int32 = 20
  /// Silence, in milliseconds, after which no piece is expected.
  static let silence: Int32 = 300
  /// Time limit: the user waits for the shell meanwhile.
  static let limit = Duration.seconds(3)

  /// Calls `read` with the milliseconds to wait until one of the limits is reached. The silence is counted in looks
  /// rather than by the clock, so that a stopped or overloaded machine does not pass for a silent terminal.
  static func run(isOwed: () -> Bool, elapsed: () -> Duration, read: (Int32) -> Reading) {
    var quiet: Int32 = 0
    while isOwed(), quiet < silence, elapsed() < limit {
      switch read(look) {
      case .silence: quiet += look
      case .reply: quiet = 0
      case .other: break
      case .end: return
      }
    }
  }
}
