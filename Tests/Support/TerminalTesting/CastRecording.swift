import FoundationEssentials
public import Terminal

/// A parsed asciicast.
public struct CastRecording: Hashable, Sendable {
  /// An event and its time after the start.
  public struct Event: Hashable, Sendable {
    public let time: Duration
    /// `o` for output, `r` for a new size, `m` for a marker.
    public let kind: String
    public let data: String
  }

  public let size: Size
  /// Seconds since 1970, if recorded.
  public let timestamp: Int?
  public let title: String?
  public let env: [String: String]
  public let events: [Event]

  /// Parses asciicast v2. Fails if a line is invalid or a time is earlier than the time before it.
  public init?(reading text: String) {
    let decoder = JSONDecoder()
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first, let header = try? decoder.decode(Header.self, from: Data(first)),
      header.version == 2
    else { return nil }
    var events: [Event] = []
    for line in lines.dropFirst() {
      guard let entry = try? decoder.decode(Entry.self, from: Data(line)),
        entry.event.time >= events.last?.time ?? .zero
      else { return nil }
      events.append(entry.event)
    }
    size = Size(rows: header.height, columns: header.width)
    timestamp = header.timestamp
    title = header.title
    env = header.env ?? [:]
    self.events = events
  }

  /// All output sent to the terminal.
  public var output: String { events.filter { $0.kind == "o" }.map(\.data).joined() }
}

private struct Header: Decodable {
  let version: Int
  let width: Int
  let height: Int
  let timestamp: Int?
  let title: String?
  let env: [String: String]?
}

/// `[seconds, kind, data]`.
private struct Entry: Decodable {
  let event: CastRecording.Event

  init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    let microseconds = (try values.decode(Double.self) * 1_000_000).rounded()
    guard let time = Int64(exactly: microseconds) else {
      throw DecodingError.dataCorruptedError(in: values, debugDescription: "not a valid time")
    }
    event = CastRecording.Event(
      time: .microseconds(time), kind: try values.decode(String.self), data: try values.decode(String.self))
  }
}
