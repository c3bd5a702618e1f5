/// Recorded HTTP exchanges, in the order they began. The file is a HAR 1.2
/// (<http://www.softwareishard.com/blog/har-12-spec/>) with fields of our own, above all `_events`, what a stream sent
/// and when, and `_error`, why there was no response.
public struct Cassette: Hashable, Sendable {
  /// The program that wrote the cassette.
  public struct Creator: Codable, Hashable, Sendable {
    public var name: String
    public var version: String

    public init(name: String = "Qwinkle", version: String = "0.1") {
      self.name = name
      self.version = version
    }
  }

  public var creator: Creator
  /// Whether people's words have been replaced; `_private` in the file.
  public var isPrivate: Bool
  public var entries: [Entry]

  public init(entries: [Entry] = [], isPrivate: Bool = false, creator: Creator = Creator()) {
    self.entries = entries
    self.isPrivate = isPrivate
    self.creator = creator
  }
}

extension Cassette {
  /// One exchange.
  public struct Entry: Hashable, Sendable {
    /// When the request was sent, ISO 8601.
    public var startedDateTime: String
    /// Milliseconds until the response was complete or the request failed.
    public var time: Double
    public var request: Request
    /// Status 0 if there was no response.
    public var response: Response
    /// Events received over a stream.
    public var events: [Event]
    /// Why there was no response.
    public var failure: Failure?

    public init(
      startedDateTime: String, time: Double, request: Request, response: Response = Response(), events: [Event] = [],
      failure: Failure? = nil
    ) {
      self.startedDateTime = startedDateTime
      self.time = time
      self.request = request
      self.response = response
      self.events = events
      self.failure = failure
    }
  }

  /// A recorded request.
  public struct Request: Hashable, Sendable {
    public var method: String
    /// Absolute.
    public var url: String
    public var httpVersion: String
    public var headers: [Field]
    public var body: Body?

    public init(
      method: String, url: String, httpVersion: String = "HTTP/1.1", headers: [Field] = [], body: Body? = nil
    ) {
      self.method = method
      self.url = url
      self.httpVersion = httpVersion
      self.headers = headers
      self.body = body
    }
  }

  /// A recorded response.
  public struct Response: Hashable, Sendable {
    public var status: Int
    public var statusText: String
    public var httpVersion: String
    public var headers: [Field]
    public var body: Body
    /// Target of a redirect; empty if it is not one.
    public var redirectURL: String

    public init(
      status: Int = 0, statusText: String = "", httpVersion: String = "HTTP/1.1", headers: [Field] = [],
      body: Body = Body(), redirectURL: String = ""
    ) {
      self.status = status
      self.statusText = statusText
      self.httpVersion = httpVersion
      self.headers = headers
      self.body = body
      self.redirectURL = redirectURL
    }
  }

  /// A header or a query parameter.
  public struct Field: Codable, Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A request or response body, decompressed. In the file it is text if it is UTF-8, otherwise base64.
  public struct Body: Hashable, Sendable {
    public var mimeType: String
    public var bytes: [UInt8]

    public init(mimeType: String = "", bytes: [UInt8] = []) {
      self.mimeType = mimeType
      self.bytes = bytes
    }
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

    public init(time: Double, name: String, data: String) {
      self.time = time
      self.name = name
      self.data = data
    }
  }

  /// Why there was no response: a recorded `TransportError`.
  public struct Failure: Hashable, Sendable {
    /// Name of the error's case. An unknown one counts as `interrupted`.
    public var kind: String
    public var host: String
    public var reason: String

    public init(kind: String, host: String = "", reason: String = "") {
      self.kind = kind
      self.host = host
      self.reason = reason
    }
  }
}
