import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// Transport between a test and the service.
enum Front: CaseIterable {
  case inProcess, http
}

/// A service with its directory and a transport to it.
struct Harness: Sendable {
  let service: Service
  let transport: any Transport
  let authority: String
  let directory: String
  let clock: VirtualClock

  /// Sends a request. `target` is a path with its query, or an absolute URL of this service.
  @concurrent
  func send(
    _ method: HTTPRequest.Method, _ target: String, token: String? = nil, headers: HTTPFields = [:],
    body: [UInt8] = []
  ) async throws -> TransportResponse {
    let base = "http://\(authority)"
    var fields = headers
    if let token { fields[.authorization] = "Bearer \(token)" }
    let path = target.hasPrefix(base) ? String(target.dropFirst(base.count)) : target
    return try await transport.send(
      TransportRequest(
        head: HTTPRequest(method: method, scheme: "http", authority: authority, path: path, headerFields: fields),
        body: body))
  }

  /// Posts an action on an account, for example `block`, with a form's fields. Returns the relationship.
  @concurrent @discardableResult
  func relate(
    _ verb: String, _ name: String, _ fields: [(String, String)] = [], token: String
  ) async throws -> Relationship {
    let answer = try await submit("/api/v1/accounts/\(try id(of: name))/\(verb)", fields, token: token)
    try #require(answer.head.status == .ok, "\(verb) \(name): \(answer.text)")
    return try WireDecoder.relationship(from: answer.body)
  }

  func id(of name: String) throws -> Int64 {
    try service.write { session in try #require(try session.accountID(named: name)) }
  }

  /// Adds a follow directly to the database.
  func follow(_ target: String, by follower: String) throws {
    try service.write { session in
      let ids = try session.accountIDs(named: [target, follower])
      try session.follow(try #require(ids[target]), by: try #require(ids[follower]))
    }
  }

  @concurrent
  func get(_ target: String, token: String? = nil) async throws -> TransportResponse {
    try await send(.get, target, token: token)
  }

  /// Posts a form.
  @concurrent
  func submit(
    _ target: String, _ fields: [(String, String)], token: String? = nil, headers: HTTPFields = [:]
  ) async throws -> TransportResponse {
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    let body = fields.map { "\(PercentEncoding.component($0.0))=\(PercentEncoding.component($0.1))" }.joined(
      separator: "&")
    return try await send(.post, target, token: token, headers: headers, body: Array(body.utf8))
  }

  @concurrent
  func qwink(_ target: String, token: String? = nil) async throws -> Qwink {
    let answer = try await get(target, token: token)
    try #require(answer.head.status == .ok, "\(target): \(answer.text)")
    return try WireDecoder.qwink(from: answer.body)
  }

  /// Reacts to a status; `verb` is, for example, `favourite`. Returns the status in the response.
  @concurrent @discardableResult
  func react(_ verb: String, _ id: Qwink.ID, token: String) async throws -> Qwink {
    let answer = try await send(.post, "/api/v1/statuses/\(id)/\(verb)", token: token)
    try #require(answer.head.status == .ok, "\(verb) \(id): \(answer.text)")
    return try WireDecoder.qwink(from: answer.body)
  }

  /// Edits a qwink's text.
  @concurrent
  func put(_ id: Qwink.ID, _ text: String, warning: String = "", token: String?) async throws -> TransportResponse {
    try await send(
      .put, "/api/v1/statuses/\(id)", token: token, headers: [.contentType: "application/json"],
      body: WireEncoder.edit(Entry(text: text, contentWarning: warning, idempotencyKey: "")))
  }

  @concurrent
  func edit(_ id: Qwink.ID, _ text: String, warning: String = "", token: String) async throws -> Qwink {
    let answer = try await put(id, text, warning: warning, token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return try WireDecoder.qwink(from: answer.body)
  }

  @concurrent
  func qwinkers(_ target: String, token: String? = nil) async throws -> Page<Qwinker> {
    let answer = try await get(target, token: token)
    try #require(answer.head.status == .ok, "\(target): \(answer.text)")
    return try WireDecoder.qwinkers(
      from: answer.body, link: answer.link)
  }

  @concurrent
  func page(_ target: String, token: String? = nil) async throws -> Page<Qwink> {
    let answer = try await get(target, token: token)
    try #require(answer.head.status == .ok, "\(target): \(answer.text)")
    return try WireDecoder.qwinks(
      from: answer.body, link: answer.link)
  }

  @concurrent
  func send(_ entry: Entry, token: String?) async throws -> TransportResponse {
    var headers: HTTPFields = [.contentType: "application/json"]
    if let name = HTTPField.Name("Idempotency-Key") { headers[name] = entry.idempotencyKey }
    return try await send(
      .post, "/api/v1/statuses", token: token, headers: headers, body: WireEncoder.entry(entry))
  }

  @concurrent @discardableResult
  func post(
    _ text: String, token: String, visibility: Visibility = .public, answering parent: Qwink.ID? = nil
  ) async throws -> Qwink {
    let answer = try await send(
      Entry(text: text, visibility: visibility, inReplyTo: parent, idempotencyKey: UUID().uuidString), token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return try WireDecoder.qwink(from: answer.body)
  }
}

extension TransportResponse {
  var link: String? { HTTPField.Name("Link").flatMap { head.headerFields[$0] } }
  var text: String { String(decoding: body, as: UTF8.self) }
  var errorMessage: String? { WireDecoder.errorMessage(from: body) }
  var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }
}

extension PasswordHash.Cost {
  /// Negligible time per hash.
  static let quick = Self(kibibytes: 8, passes: 1)
  /// About 20 ms per hash, so that concurrent checks queue.
  static let slow = Self(kibibytes: 8 << 10, passes: 5)
}

/// Runs `body` with a new service, then deletes its files.
@concurrent
func withService(
  _ front: Front = .inProcess, welcome: String = "", owner: String = "", clock: VirtualClock = VirtualClock(),
  terms: ServiceTerms = ServiceTerms(), quotas: ServiceQuotas? = nil,
  diskSpace: @escaping DiskSpace.Reading = { DiskSpace.read($0) },
  blurhash: (@Sendable ([UInt8]) async -> String?)? = nil,
  _ body: @Sendable (Harness) async throws -> Void
) async throws {
  try await withDirectory { directory in
    // The clock does not advance, so the default pace would delay each request after the first 500.
    let service = try Service(
      directory: directory, welcome: welcome, owner: owner, clock: clock, passwordCost: .quick,
      limits: [.requestRate: .pace(burst: 1_000_000, interval: .milliseconds(10))], terms: terms, quotas: quotas,
      diskSpace: diskSpace, blurhash: blurhash)
    switch front {
    case .inProcess:
      try await body(
        Harness(
          service: service, transport: service.transport(), authority: "qwinkle.test", directory: directory,
          clock: clock))
    case .http:
      try await withHTTPFront(of: service) { port in
        try await body(
          Harness(
            service: service, transport: URLSessionTransport(), authority: "127.0.0.1:\(port)", directory: directory,
            clock: clock))
      }
    }
  }
}

/// Runs `body` while the service listens on a port chosen by the system.
@concurrent
func withHTTPFront(of service: Service, _ body: @Sendable (Int) async throws -> Void) async throws {
  try await withPort(of: HTTPFront(service: service, host: "127.0.0.1", port: 0), body)
}

/// Runs `body` with the port of `front` while `front` listens.
@concurrent
func withPort(of front: HTTPFront, _ body: @Sendable (Int) async throws -> Void) async throws {
  let openPort = Tally()
  try await withFront(front) { port in
    openPort.set(port)
    if port > 0 { try await body(port) }
  }
  #expect(openPort.value > 0, "the server ended before it listened")
}

/// Runs `body` with the port of `front`, or 0, while `front` listens.
@concurrent
func withFront(_ front: HTTPFront, _ body: @Sendable (Int) async throws -> Void) async throws {
  let (port, isListening, hasEnded) = (Tally(), Flag(), Flag())
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      defer { hasEnded.set() }
      try await front.run {
        port.set($0)
        isListening.set()
      }
    }
    // `run` throws at once if it can't listen.
    try await wait(for: "the server's sockets") { isListening.isSet || hasEnded.isSet }
    if isListening.isSet { try await body(port.value) }
    group.cancelAll()
    try await group.waitForAll()
  }
}

@concurrent
func withDirectory(_ body: @Sendable (String) async throws -> Void) async throws {
  let directory = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: directory) }
  try await body(directory.path(percentEncoded: false))
}
