import Terminal

/// Input that arrived together from a terminal.
struct DecodedInput: Hashable {
  var events: [TerminalEvent] = []
  var replies: [TerminalReply] = []

  var isEmpty: Bool { events.isEmpty && replies.isEmpty }

  mutating func append(_ other: DecodedInput) {
    events += other.events
    replies += other.replies
  }
}
