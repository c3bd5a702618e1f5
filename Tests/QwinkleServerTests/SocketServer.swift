import Foundation
import HTTPTypes
import LibC
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// The users of a host, as a test needs them.
final class HostUsers: Sendable {
  private let users = Mutex<[uid_t: UnixUser]>([:])
  private let lookups = Mutex(0)
  private let isFailing = Mutex(false)

  init(_ names: [uid_t: String] = [:]) {
    for (uid, name) in names { self[uid] = UnixUser(name: name) }
  }

  /// The number of lookups.
  var lookupCount: Int { lookups.withLock { $0 } }

  subscript(uid: uid_t) -> UnixUser? {
    get { users.withLock { $0[uid] } }
    set { users.withLock { $0[uid] = newValue } }
  }

  func setFailing(_ isFailing: Bool) { self.isFailing.withLock { $0 = isFailing } }

  func find(_ query: UnixUser.Query) -> UnixUser.Lookup {
    lookups.withLock { $0 += 1 }
    if isFailing.withLock({ $0 }) { return .failed }
    return users.withLock { users in
      switch query {
      case .uid(let uid): users[uid].map { .found($0) } ?? .absent
      case .name(let name): users.values.first { $0.name == name }.map { .found($0) } ?? .absent
      }
    }
  }
}

/// A server on a Unix socket. A client chooses its uid by the path that it connects from.
struct SocketServer: Sendable {
  let service: Service
  let front: HTTPFront
  let clock: VirtualClock
  let folder: String
  /// The port for HTTP, or 0.
  let port: Int

  var path: String { "\(folder)/s" }

  /// Returns a user's client, which connects to the socket.
  func user(_ uid: uid_t) -> Harness {
    Harness(
      service: service, transport: SocketTransport(server: self, uid: uid), authority: "shared", directory: folder,
      clock: clock)
  }

  /// A client that connects over HTTP.
  var overHTTP: Harness {
    Harness(
      service: service, transport: URLSessionTransport(), authority: "127.0.0.1:\(port)", directory: folder,
      clock: clock)
  }

  /// Connects to the socket. Blocks.
  func connect(as uid: uid_t) throws -> RawClient {
    try RawClient(socket: path, from: "\(folder)/\(uid)-\(UUID().uuidString.prefix(8))")
  }

  /// Sends a GET request as a user on a new connection, and returns the status in the response.
  func status(of target: String, as uid: uid_t) async throws -> Int {
    Int(try await user(uid).get(target).head.status.code)
  }

  /// Returns the name of a user's account.
  func name(of uid: uid_t) async throws -> String? {
    try await user(uid).get("/api/v1/accounts/verify_credentials").object["username"] as? String
  }

  /// The uid in the path of a client's socket: its digits before the hyphen.
  @Sendable static func uid(in path: String?) -> uid_t? {
    path?.split(separator: "/").last.flatMap { uid_t($0.prefix { $0 != "-" }) }
  }
}

/// Sends each request on a new connection to a Unix socket.
struct SocketTransport: Transport {
  let server: SocketServer
  let uid: uid_t

  @concurrent
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let head = request.head
    var lines = ["\(head.method.rawValue) \(head.path ?? "/") HTTP/1.1", "Host: \(head.authority ?? "")"]
    lines += head.headerFields.map { "\($0.name.rawName): \($0.value)" }
    lines += ["Content-Length: \(request.body.count)", "Connection: close"]
    let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + request.body
    let response = await RawClient.onThread { [server, uid] () -> RawClient.Response? in
      guard let client = try? server.connect(as: uid) else { return nil }
      // A server that refuses the connection doesn't read the request.
      try? client.send(bytes)
      return client.nextResponse()
    }
    guard let response else { throw .interrupted(host: "the socket") }
    var fields = HTTPFields()
    for line in response.head.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
      fields[name] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    return TransportResponse(
      head: HTTPResponse(status: .init(code: response.status), headerFields: fields), body: response.body)
  }
}

/// Runs `body` with a short path of a new folder that other users can't write to, then deletes the folder.
@concurrent
func withSocketFolder(_ body: @Sendable (String) async throws -> Void) async throws {
  let folder = "/tmp/qwinkle-\(UUID().uuidString.prefix(8))"
  try FileManager.default.createDirectory(
    atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await body(folder)
}

/// Runs `body` with a server on a Unix socket.
///
/// - Parameters:
///   - users: The users of the host.
///   - access: The users who are allowed.
///   - isOpen: Whether registration is open.
///   - hasHTTP: Whether the server also listens on a port.
///   - asksKernel: Whether the kernel reports the clients' uids, as outside of tests.
@concurrent
func withSocketServer(
  _ users: HostUsers, access: UnixAccess = UnixAccess(), isOpen: Bool = false, hasHTTP: Bool = false,
  asksKernel: Bool = false, budget: [Resource: Resource.Limit] = [:], limits: FrontLimits = FrontLimits(),
  lines: Lines = Lines(),
  _ body: @escaping @Sendable (SocketServer) async throws -> Void
) async throws {
  try await withSocketFolder { folder in
    let clock = VirtualClock()
    let service = try Service(
      directory: "\(folder)/data", welcome: "", owner: "", clock: clock, passwordCost: .quick, use: .served,
      limits: budget, terms: ServiceTerms(isOpen: isOpen, unixAccess: access), findUnixUser: users.find)
    var addresses = [FrontAddress.socket(path: "\(folder)/s")]
    if hasHTTP { addresses.append(.network(host: "127.0.0.1", port: 0)) }
    let front = HTTPFront(
      service: service, addresses: addresses, readPeer: asksKernel ? nil : SocketServer.uid,
      accessLog: { lines.add($0) }, limits: limits)
    try await withFront(front) { port in
      try await body(SocketServer(service: service, front: front, clock: clock, folder: folder, port: port))
    }
  }
}
