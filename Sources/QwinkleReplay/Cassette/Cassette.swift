/// Recorded HTTP exchanges, in the order they began. The file is a HAR 1.2
/// (<http://www.softwareishard.com/blog/har-12-spec/>) with extra fields. The main ones are `_events`, the timed events
/// of a stream, and `_error`, the reason for a missing response.
public struct Cassette: Hashable, Sendable {
  /// The program that wrote the cassette.
  public struct Creator: Codable, Hashable, Sendable {
    public var name = "Qwinkle"
    public var version = "0.1"
  }

  public var creator = Creator()
  /// Whether user-written text has been replaced. Stored as `_private` in the file.
  public var isPrivate: Bool
  public var entries: [Entry]

  public init(entries: [Entry] = [], isPrivate: Bool = false) {
    self.entries = entries
    self.isPrivate = isPrivate
  }
}

extension Cassette {
  /// A request and its response.
  public struct Entry: Hashable, Sendable {
    /// When the request was sent, ISO 8601.
    public var startedDateTime: String
    /// Milliseconds until the response was complete or the request failed.
    public var time: Double
    public var request: Request
    /// Status 0 if there was no response.
    public var response = Response()
    /// Events received over a stream.
    public var events: [Event] = []
    /// Reason for a missing response.
    public var failure: Failure?
  }

  public struct Request: Hashable, Sendable {
    public var method: String
    /// The absolute URL.
    public var url: String
    public var httpVersion = "HTTP/1.1"
    public var headers: [Field] = []
    public var body: Body?
  }

  public struct Response: Hashable, Sendable {
    public var status = 0
    public var statusText = ""
    public var httpVersion = "HTTP/1.1"
    public var headers: [Field] = []
    public var body = Body()
    /// Target of a redirect, otherwise empty.
    public var redirectURL = ""
  }

  /// A header or a query parameter.
  public struct Field: Codable, Hashable, Sendable {
    public var name: String
    public var value: String
  }

  /// A request or response body, decompressed. The file stores UTF-8 as text and anything else as base64.
  public struct Body: Hashable, Sendable {
    public var mimeType = ""
    public var bytes: [UInt8] = []
  }

  /// An event received over a stream.
  public struct Event: Codable, Hashable, Sendable {
    /// Milliseconds after the request was sent.
    public var time: Double
    public var name: String
    public var data: String

    private enum CodingKeys: String, CodingKey {
      case time, data
      case name = "event"
    }
  }

  /// Reason for a missing response: a recorded `TransportError`.
  public struct Failure: Hashable, Sendable {
    /// Name of the error's case. An unknown name is treated as `interrupted`.
    public var kind: String
    public var host = ""
    public var reason = ""
  }
}
