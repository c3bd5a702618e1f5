import FoundationEssentials
import HTTPTypes
import QwinkleWire

extension Cassette.Request {
  init(_ request: TransportRequest) {
    let head = request.head
    let fields = head.headerFields.map { Cassette.Field(name: $0.name.rawName, value: $0.value) }
    self.init(
      method: head.method.rawValue, url: "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "/")",
      headers: fields,
      body: request.body.isEmpty
        ? nil : Cassette.Body(mimeType: head.headerFields[.contentType] ?? "", bytes: request.body))
  }
}

extension Cassette.Response {
  init(_ response: TransportResponse) {
    let head = response.head
    self.init(
      status: head.status.code, statusText: head.status.reasonPhrase,
      headers: head.headerFields.map { Cassette.Field(name: $0.name.rawName, value: $0.value) },
      body: Cassette.Body(mimeType: head.headerFields[.contentType] ?? "", bytes: response.body),
      redirectURL: head.headerFields[.location] ?? "")
  }

  /// The response to replay, or nil if HTTP doesn't allow the status. Headers with invalid names are dropped.
  var transportResponse: TransportResponse? {
    guard (100...999).contains(status) else { return nil }
    var head = HTTPResponse(status: HTTPResponse.Status(code: status))
    for field in headers {
      guard let name = HTTPField.Name(field.name) else { continue }
      head.headerFields.append(HTTPField(name: name, value: field.value))
    }
    if head.headerFields[.contentType] == nil, !body.mimeType.isEmpty {
      head.headerFields[.contentType] = body.mimeType
    }
    return TransportResponse(head: head, body: body.bytes)
  }
}

extension Cassette.Failure {
  init(_ error: TransportError) {
    switch error {
    case .unknownHost(let host): self.init(kind: "unknownHost", host: host)
    case .refused(let host): self.init(kind: "refused", host: host)
    case .timedOut(let host): self.init(kind: "timedOut", host: host)
    case .interrupted(let host): self.init(kind: "interrupted", host: host)
    case .untrusted(let host, let reason): self.init(kind: "untrusted", host: host, reason: reason)
    case .tooLarge(let host): self.init(kind: "tooLarge", host: host)
    case .malformed(let host): self.init(kind: "malformed", host: host)
    case .cancelled: self.init(kind: "cancelled")
    case .local(let reason): self.init(kind: "local", reason: reason)
    case .file(let reason): self.init(kind: "file", reason: reason)
    case .socket(let path, let fault): self.init(kind: "socket", host: path, reason: fault.cassetteReason)
    }
  }

  var isCancelled: Bool { kind == "cancelled" }

  /// Returns the error to replay for a request to `host`.
  func error(for host: String) -> TransportError {
    switch kind {
    case "unknownHost": .unknownHost(host)
    case "refused": .refused(host: host)
    case "timedOut": .timedOut(host: host)
    case "untrusted": .untrusted(host: host, reason: reason)
    case "tooLarge": .tooLarge(host: host)
    case "malformed": .malformed(host: host)
    case "cancelled": .cancelled
    case "local": .local(reason: reason)
    case "file": .file(reason: reason)
    case "socket": .socket(path: self.host, SocketFault(cassetteReason: reason))
    default: .interrupted(host: host)
    }
  }
}

extension SocketFault {
  fileprivate var cassetteReason: String {
    switch self {
    case .missing: "missing"
    case .notListening: "notListening"
    case .busy: "busy"
    case .notAllowed: "notAllowed"
    case .untrusted(let reason): reason
    }
  }

  fileprivate init(cassetteReason: String) {
    switch cassetteReason {
    case "missing": self = .missing
    case "notListening": self = .notListening
    case "busy": self = .busy
    case "notAllowed": self = .notAllowed
    default: self = .untrusted(reason: cassetteReason)
    }
  }
}

extension Duration {
  /// Milliseconds, rounded to the microsecond.
  var milliseconds: Double {
    ((self / .microseconds(1)).rounded()) / 1000
  }
}

extension Date {
  /// ISO 8601 in UTC, to the millisecond.
  var har: String {
    formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
