/// HTTP exchanges as they were, in the order in which they began. As a file it is a HAR 1.2
/// (<http://www.softwareishard.com/blog/har-12-spec/>), with two fields of our own: `_events`, what came over a stream
/// and when, and `_error`, why there was no answer.
public struct Cassette: Hashable, Sendable {
  /// What made it.
  public struct Creator: Codable, Hashable, Sendable {
    public var name: String
    public var version: String

    public init(name: String = "Qwinkle", version: String = "0.1") {
      self.name = name
      self.version = version
    }
  }

  public var creator: Creator
  /// Whether what people wrote has been replaced; in the file as `_private`.
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
    /// Milliseconds until there was a whole answer, or none.
    public var time: Double
    public var request: Request
    /// Status 0 where there is none.
    public var response: Response
    /// What came over a stream.
    public var events: [Event]
    /// Why there was no answer.
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

  /// What was asked.
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

  /// What was answered.
  public struct Response: Hashable, Sendable {
    public var status: Int
    public var statusText: String
    public var httpVersion: String
    public var headers: [Field]
    public var body: Body
    /// Where a redirect leads; empty where it is none.
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

  /// A header, or a part of a query.
  public struct Field: Codable, Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What is sent one way, inflated. In the file it is text where it is UTF-8, else base64.
  public struct Body: Hashable, Sendable {
    public var mimeType: String
    public var bytes: [UInt8]

    public init(mimeType: String = "", bytes: [UInt8] = []) {
      self.mimeType = mimeType
      self.bytes = bytes
    }
  }

  /// Something that came over a stream.
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

  /// Why there was no answer, in the words of `TransportError`.
  public struct Failure: Hashable, Sendable {
    /// The name of the error's case. An unknown one counts as `interrupted`.
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
