// Reads and writes cassettes as HAR. Other programs write HAR too, so unknown fields are ignored, and missing fields
// get defaults. Only the fields that a replay can't do without are required: the entries, and the method, URL and
// status of each.

extension Cassette: Codable {
  private enum RootKeys: String, CodingKey {
    case log
  }

  private enum LogKeys: String, CodingKey {
    case version, creator, entries
    case isPrivate = "_private"
  }

  public init(from decoder: any Decoder) throws {
    let log = try decoder.container(keyedBy: RootKeys.self).nestedContainer(keyedBy: LogKeys.self, forKey: .log)
    self.init(
      entries: try log.decode([Entry].self, forKey: .entries), isPrivate: log.value(Bool.self, .isPrivate) ?? false)
    creator = log.value(Creator.self, .creator) ?? creator
  }

  public func encode(to encoder: any Encoder) throws {
    var root = encoder.container(keyedBy: RootKeys.self)
    var log = root.nestedContainer(keyedBy: LogKeys.self, forKey: .log)
    try log.encode("1.2", forKey: .version)
    try log.encode(creator, forKey: .creator)
    if isPrivate { try log.encode(true, forKey: .isPrivate) }
    try log.encode(entries, forKey: .entries)
  }
}

extension Cassette.Entry: Codable {
  private enum CodingKeys: String, CodingKey {
    case startedDateTime, time, request, response, cache, timings
    case events = "_events"
    case failure = "_error"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      startedDateTime: container.value(String.self, .startedDateTime) ?? "",
      time: container.value(Double.self, .time) ?? 0,
      request: try container.decode(Cassette.Request.self, forKey: .request),
      response: try container.decode(Cassette.Response.self, forKey: .response),
      events: try container.decodeIfPresent([Cassette.Event].self, forKey: .events) ?? [],
      failure: container.value(Cassette.Failure.self, .failure))
    // Browsers record a failed request only as status 0.
    if response.status == 0, failure == nil { failure = Cassette.Failure(kind: "interrupted") }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(startedDateTime, forKey: .startedDateTime)
    try container.encode(time, forKey: .time)
    try container.encode(request, forKey: .request)
    try container.encode(response, forKey: .response)
    try container.encode([String: String](), forKey: .cache)
    try container.encode(["send": 0, "wait": time, "receive": 0], forKey: .timings)
    if !events.isEmpty { try container.encode(events, forKey: .events) }
    try container.encodeIfPresent(failure, forKey: .failure)
  }
}

extension Cassette.Request: Codable {
  private enum CodingKeys: String, CodingKey {
    case method, url, httpVersion, cookies, headers, queryString, postData, headersSize, bodySize
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      method: try container.decode(String.self, forKey: .method),
      url: try container.decode(String.self, forKey: .url),
      httpVersion: container.value(String.self, .httpVersion) ?? "",
      headers: container.value([Cassette.Field].self, .headers) ?? [],
      body: try container.decodeIfPresent(Cassette.Body.self, forKey: .postData))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(method, forKey: .method)
    try container.encode(url, forKey: .url)
    try container.encode(httpVersion, forKey: .httpVersion)
    // Empty, because the headers already contain the cookies in scrubbed form.
    try container.encode([Cassette.Field](), forKey: .cookies)
    try container.encode(headers, forKey: .headers)
    try container.encode(RequestAddress(url).queryFields, forKey: .queryString)
    try container.encodeIfPresent(body.map { HARBody(body: $0, isRequest: true) }, forKey: .postData)
    try container.encode(-1, forKey: .headersSize)
    try container.encode(body?.bytes.count ?? 0, forKey: .bodySize)
  }
}

extension Cassette.Response: Codable {
  private enum CodingKeys: String, CodingKey {
    case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      status: try container.decode(Int.self, forKey: .status),
      statusText: container.value(String.self, .statusText) ?? "",
      httpVersion: container.value(String.self, .httpVersion) ?? "",
      headers: container.value([Cassette.Field].self, .headers) ?? [],
      body: try container.decodeIfPresent(Cassette.Body.self, forKey: .content) ?? Cassette.Body(),
      redirectURL: container.value(String.self, .redirectURL) ?? "")
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(status, forKey: .status)
    try container.encode(statusText, forKey: .statusText)
    try container.encode(httpVersion, forKey: .httpVersion)
    try container.encode([Cassette.Field](), forKey: .cookies)
    try container.encode(headers, forKey: .headers)
    try container.encode(HARBody(body: body, isRequest: false), forKey: .content)
    try container.encode(redirectURL, forKey: .redirectURL)
    try container.encode(-1, forKey: .headersSize)
    try container.encode(body.bytes.count, forKey: .bodySize)
  }
}

extension Cassette.Failure: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind, host, reason
  }

  /// Decodes a failure. Browsers write it as a string, which becomes the reason.
  public init(from decoder: any Decoder) throws {
    if let words = try? decoder.singleValueContainer().decode(String.self) {
      self.init(kind: "interrupted", reason: words)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      kind: container.value(String.self, .kind) ?? "interrupted", host: container.value(String.self, .host) ?? "",
      reason: container.value(String.self, .reason) ?? "")
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    if !host.isEmpty { try container.encode(host, forKey: .host) }
    if !reason.isEmpty { try container.encode(reason, forKey: .reason) }
  }
}

extension KeyedDecodingContainer {
  /// Decodes an optional field. Returns nil if the field is absent or has another type.
  fileprivate func value<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
    try? decodeIfPresent(type, forKey: key)
  }
}
