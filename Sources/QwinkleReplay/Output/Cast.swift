public import FoundationEssentials
public import Terminal

/// A recording of terminal output for asciinema: asciicast v2 (https://docs.asciinema.org/manual/asciicast/v2/). The
/// same sequence of calls always produces the same bytes.
public struct Cast: Sendable {
  private struct Event {
    var time: Duration
    var kind: String
    var data: String
  }

  private let header: String
  private var events: [Event] = []
  private var carry = UTF8Carry()
  private var lastTime = Duration.zero

  /// Starts a recording at `start`, rounded down to a second, on a terminal of type `term`.
  public init(size: Size, start: Date, term: String, title: String = "") {
    var header = #"{"version": 2, "width": \#(size.columns), "height": \#(size.rows), "#
    header += #""timestamp": \#(Int64(start.timeIntervalSince1970.rounded(.down)))"#
    if !title.isEmpty { header += #", "title": \#(JSONText.quoted(title))"# }
    self.header = header + #", "env": {"TERM": \#(JSONText.quoted(term))}}"# + "\n"
  }

  /// Adds `bytes` sent `time` after the start. An incomplete character at the end is buffered until the rest of it
  /// arrives.
  public mutating func output(_ bytes: some Sequence<UInt8>, at time: Duration) {
    let text = carry.take(bytes)
    if !text.isEmpty { append("o", text, at: time) }
  }

  /// Adds a change to the terminal's size.
  public mutating func resize(to size: Size, at time: Duration) {
    append("r", "\(size.columns)x\(size.rows)", at: time)
  }

  /// Adds a marker that players can jump to, for example where a snapshot was taken.
  public mutating func marker(_ label: String, at time: Duration) {
    append("m", label, at: time)
  }

  /// The recording so far, one line per event. An incomplete character at the end becomes U+FFFD.
  public var text: String {
    var cast = self
    let rest = cast.carry.finish()
    if !rest.isEmpty { cast.append("o", rest, at: lastTime) }
    return cast.events.reduce(into: cast.header) { text, event in
      text += "[\(Self.seconds(event.time)), \"\(event.kind)\", \(JSONText.quoted(event.data))]\n"
    }
  }

  /// Appends an event. If `time` is earlier than the last event's time, uses the last event's time.
  private mutating func append(_ kind: String, _ data: String, at time: Duration) {
    lastTime = max(lastTime, time)
    events.append(Event(time: lastTime, kind: kind, data: data))
  }

  /// Seconds with six decimals, truncated.
  private static func seconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let decimals = String(attoseconds / 1_000_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: max(0, 6 - decimals.count)) + decimals
  }
}
