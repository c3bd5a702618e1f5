public import FoundationEssentials
public import Terminal

/// What a terminal was sent, and when, as asciinema plays it: asciicast v2
/// (https://docs.asciinema.org/manual/asciicast/v2/). The same calls always give the same bytes.
public struct Cast: Sendable {
  private let header: String
  private var body = ""
  private var carry = UTF8Carry()
  private var lastTime = Duration.zero

  /// Begins at `start`, on a terminal of kind `term` that has `size`. Fractions of a second of `start` are left out.
  public init(size: Size, start: Date, term: String, title: String = "") {
    var header = #"{"version": 2, "width": \#(size.columns), "height": \#(size.rows), "#
    header += #""timestamp": \#(Int64(start.timeIntervalSince1970.rounded(.down)))"#
    if !title.isEmpty { header += #", "title": \#(CastText.quoted(title))"# }
    self.header = header + #", "env": {"TERM": \#(CastText.quoted(term))}}"# + "\n"
  }

  /// The terminal was sent `bytes`, `time` after the start. Where they end within a character, its beginning waits
  /// for the rest.
  public mutating func output(_ bytes: some Sequence<UInt8>, at time: Duration) {
    let text = carry.take(bytes)
    if !text.isEmpty { append("o", text, at: time) }
  }

  /// The terminal got another size.
  public mutating func resize(to size: Size, at time: Duration) {
    append("r", "\(size.columns)x\(size.rows)", at: time)
  }

  /// A place that a player can jump to, such as a snapshot.
  public mutating func marker(_ label: String, at time: Duration) {
    append("m", label, at: time)
  }

  /// The cast so far, a line each event. A character whose end has not come is one U+FFFD.
  public var text: String {
    var cast = self
    let rest = cast.carry.finish()
    if !rest.isEmpty { cast.append("o", rest, at: lastTime) }
    return cast.header + cast.body
  }

  /// Time never goes back: what claims to be earlier is at the time of what came before.
  private mutating func append(_ kind: String, _ data: String, at time: Duration) {
    lastTime = max(lastTime, time)
    body += "[\(Self.seconds(lastTime)), \"\(kind)\", \(CastText.quoted(data))]\n"
  }

  /// Seconds with six decimals; what is smaller is left out.
  private static func seconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let decimals = String(attoseconds / 1_000_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: max(0, 6 - decimals.count)) + decimals
  }
}
