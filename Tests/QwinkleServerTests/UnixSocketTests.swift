import Foundation
import HTTPTypes
import LibC
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

/// The file of a Unix socket, and sockets that systemd passes.
@Suite(.bounded) struct UnixSocketTests {
  private static let request = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"

  /// Creates the socket file of a killed server.
  private func leaveSocket(at path: String) throws {
    systemClose(try RawClient.listen(at: path))
  }

  private func mode(of path: String) -> mode_t {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts.st_mode : 0
  }

  @Test func `every user can connect, and no user can read the data`() async throws {
    try await withSocketServer(HostUsers([1001: "anna"])) { server in
      let name = try await server.name(of: 1001)
      #expect(name == "anna")
      #expect(mode(of: server.path) == S_IFSOCK | 0o666)
      #expect(mode(of: "\(server.path).lock") == S_IFREG | 0o600)
      #expect(mode(of: "\(server.folder)/data") & 0o077 == 0)
      #expect(server.port == 0)
    }
  }

  @Test func `the file is deleted when the server ends, unless it was replaced`() async throws {
    try await withSocketFolder { folder in
      let path = "\(folder)/s"
      let first = try UnixSocketFile(path: path, backlog: 1)
      first.remove()
      systemClose(first.descriptor)
      #expect(mode(of: path) == 0)
      let second = try UnixSocketFile(path: path, backlog: 1)
      try FileManager.default.removeItem(atPath: path)
      try Data("other".utf8).write(to: URL(filePath: path))
      second.remove()
      systemClose(second.descriptor)
      #expect(FileManager.default.contents(atPath: path) == Data("other".utf8))
    }
  }

  @Test func `the socket of a killed server is replaced`() async throws {
    try await withSocketFolder { folder in
      let path = "\(folder)/s"
      try leaveSocket(at: path)
      #expect(throws: (any Error).self) { try RawClient(socket: path) }
      let file = try UnixSocketFile(path: path, backlog: 1)
      _ = try RawClient(socket: path)
      file.remove()
      systemClose(file.descriptor)
    }
  }

  @Test func `the socket of a running server is never replaced`() async throws {
    try await withSocketServer(HostUsers([1001: "anna"])) { server in
      let second = HTTPFront(service: server.service, addresses: [.socket(path: server.path)])
      await #expect(throws: ServiceError.socketInUse(path: server.path)) { try await second.run { _ in } }
      // A server that doesn't use the lock file, such as another program.
      let other = "\(server.folder)/other"
      let descriptor = try RawClient.listen(at: other)
      defer { systemClose(descriptor) }
      #expect(throws: ServiceError.socketInUse(path: other)) { try UnixSocketFile(path: other, backlog: 1) }
      #expect(mode(of: other) & S_IFMT == S_IFSOCK)
      #expect(try await server.name(of: 1001) == "anna")
    }
  }

  @Test func `other files, long paths and unsafe folders are errors that name the path`() async throws {
    try await withSocketFolder { folder in
      let file = "\(folder)/file"
      try Data("mine".utf8).write(to: URL(filePath: file))
      let link = "\(folder)/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(folder)/nowhere")
      let long = "\(folder)/" + String(repeating: "x", count: 108 - folder.utf8.count - 1)
      #expect(long.utf8.count == 108)
      for path in [file, link, long, "\(folder)/none/s"] {
        let error = #expect(throws: ServiceError.self) { try UnixSocketFile(path: path, backlog: 1) }
        #expect(error?.sentence.contains(path) == true)
      }
      #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
      let longest = try UnixSocketFile(path: String(long.dropLast()), backlog: 1)
      _ = try RawClient(socket: longest.path)
      longest.remove()
      systemClose(longest.descriptor)
      chmod(folder, 0o777)
      #expect(throws: ServiceError.looseAccess(path: folder, remedy: "chmod go-w \(folder)")) {
        try UnixSocketFile(path: "\(folder)/s", backlog: 1)
      }
    }
  }

  @Test func `a failure of one address closes the others`() async throws {
    try await withSocketFolder { folder in
      let service = try Service(
        directory: "\(folder)/data", welcome: "", owner: "", clock: VirtualClock(), use: .served)
      let front = HTTPFront(
        service: service,
        addresses: [.socket(path: "\(folder)/s"), .network(host: "host.invalid", port: 0)])
      await #expect(throws: ServiceError.self) { try await front.run { _ in } }
      #expect(mode(of: "\(folder)/s") == 0)
    }
  }

  @Test func `HTTP next to the socket is an ordinary server`() async throws {
    try await withSocketServer(HostUsers([1001: "anna"]), hasHTTP: true) { server in
      #expect(server.port > 0)
      #expect(try await server.name(of: 1001) == "anna")
      let path = "/api/v1/accounts/verify_credentials"
      #expect(try await server.overHTTP.get(path).head.status == .unauthorized)
      let token = try server.service.addQwinker(named: "ben")
      #expect(try await server.overHTTP.get(path, token: token).object["username"] as? String == "ben")
    }
  }

  @Test func `the family of an inherited socket decides who its clients are`() async throws {
    try await withSocketFolder { folder in
      let path = "\(folder)/s"
      let unix = try RawClient.listen(at: path)
      let network = RawClient.makeSocket()
      let file = systemOpen(folder, O_RDONLY)
      defer { systemClose(file) }
      let found = SocketActivation.sockets(among: [file, unix, network])
      #expect(found.unix == unix && found.network == network)
      #expect(SocketActivation.path(of: unix) == path && SocketActivation.path(of: network) == nil)
      systemClose(network)
      let service = try Service(
        directory: "\(folder)/data", welcome: "", owner: "", clock: VirtualClock(), passwordCost: .quick, use: .served,
        findUnixUser: HostUsers([1001: "anna"]).find)
      let front = HTTPFront(service: service, addresses: [.inherited(unix)], readPeer: SocketServer.uid)
      try await withFront(front) { port in
        let client = try RawClient(socket: path, from: "\(folder)/1001-a")
        try client.send("GET /api/v1/accounts/verify_credentials HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await client.readResponse().contains("\"username\":\"anna\""))
        #expect(port == 0)
      }
      // The file belongs to systemd.
      #expect(mode(of: path) & S_IFMT == S_IFSOCK)
    }
  }

  @Test func `a proxy on the socket is one client, and acts for no visitor`() async throws {
    try await withSocketServer(
      HostUsers([1001: "anna"]), budget: [.requestRate: .pace(burst: 4, interval: .seconds(3600))]
    ) { server in
      let client = try server.connect(as: 1001)
      // The cached response of the user isn't for visitors.
      try client.send("GET /api/v1/timelines/public HTTP/1.1\r\nHost: shared\r\n\r\n")
      #expect(await client.readResponse().hasPrefix("HTTP/1.1 200 "))
      for status in ["403", "403", "429"] {
        let forwarded = "X-Forwarded-For: 192.0.2.\(Int.random(in: 1...200))\r\nX-Forwarded-Proto: https\r\n"
        try client.send("GET /api/v1/timelines/public HTTP/1.1\r\nHost: shared\r\n\(forwarded)\r\n")
        #expect(await client.readResponse().hasPrefix("HTTP/1.1 \(status) "))
      }
    }
  }
}
