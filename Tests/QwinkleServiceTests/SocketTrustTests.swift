import LibC
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleService

/// A socket is used only if root or one service user controls it.
@Suite(.bounded) struct SocketTrustTests {
  private let folder = SocketFolder()

  // MARK: Files

  private static let root: UInt32 = 0
  private static let service: UInt32 = 990
  private static let other: UInt32 = 1001

  private static func socket(_ owner: UInt32, _ mode: UInt32 = 0o666, kind: SocketFile.Kind = .socket) -> SocketFile {
    SocketFile(path: "/run/qwinkle/qwinkle.sock", kind: kind, owner: owner, mode: mode)
  }

  private static func folders(
    _ owner: UInt32, _ mode: UInt32, above: UInt32 = 0o755, aboveOwner: UInt32 = root
  ) -> [SocketFile] {
    [
      SocketFile(path: "/run/qwinkle", kind: .folder, owner: owner, mode: mode),
      SocketFile(path: "/run", kind: .folder, owner: aboveOwner, mode: above),
      SocketFile(path: "/", kind: .folder, owner: root, mode: 0o755),
    ]
  }

  @Test(arguments: [
    (socket(service), folders(service, 0o755)), (socket(root), folders(root, 0o755)),
    (socket(service), folders(root, 0o755)), (socket(root), folders(service, 0o755)),
    (socket(service, 0o600), folders(service, 0o700)), (socket(service), folders(service, 0o711)),
    (socket(service), folders(service, 0o755, above: 0o1777)), (socket(service), folders(service, 0o2755)),
  ])
  func `a socket of root or one service user is trusted`(socket: SocketFile, folders: [SocketFile]) {
    #expect(SocketFile.fault(of: socket, in: folders) == nil)
  }

  @Test(arguments: [
    (socket(other), folders(service, 0o755), "belongs to user 1001"),
    (socket(service), folders(other, 0o755), "belongs to user 990"),
    (socket(service), folders(service, 0o777), "write to its folder /run/qwinkle"),
    (socket(service), folders(service, 0o775), "write to its folder /run/qwinkle"),
    // Others can't delete files of a sticky folder, but they can make the socket before the service does.
    (socket(service), folders(service, 0o1777), "write to its folder /run/qwinkle"),
    (socket(service), folders(service, 0o755, above: 0o777), "write to the folder /run"),
    (socket(service), folders(service, 0o755, above: 0o775), "write to the folder /run"),
    (socket(service), folders(service, 0o755, aboveOwner: other), "the folder /run belongs to user 1001"),
    (socket(service, kind: .link), folders(service, 0o755), "symbolic link"),
    (socket(service, kind: .folder), folders(service, 0o755), "not a socket"),
    (socket(service, kind: .other), folders(service, 0o755), "not a socket"),
    (socket(service), [], "no folder"),
  ])
  func `a socket that another user could replace isn't trusted`(
    socket: SocketFile, folders: [SocketFile], words: String
  ) {
    guard case .untrusted(let reason)? = SocketFile.fault(of: socket, in: folders) else {
      Issue.record("trusted")
      return
    }
    #expect(reason.contains(words), "\(reason)")
  }

  @Test(arguments: [
    (user: root, owner: service, isTrusted: true), (user: service, owner: service, isTrusted: true),
    (user: root, owner: root, isTrusted: true), (user: other, owner: service, isTrusted: false),
    // systemd makes the socket as root and passes it to the service.
    (user: service, owner: root, isTrusted: true), (user: root, owner: other, isTrusted: true),
  ])
  func `unless root owns the socket, the server belongs to root or to its owner`(
    user: UInt32, owner: UInt32, isTrusted: Bool
  ) {
    #expect((SharedSocket.fault(ofServerBy: user, socketOwner: owner) == nil) == isTrusted)
  }

  @Test(arguments: [
    "", "qwinkle.sock", "./qwinkle.sock", "/run/qwinkle/", "/" + String(repeating: "x", count: 107), "/a\0b",
  ])
  func `a text that is no absolute path of a socket is rejected`(path: String) {
    #expect(SharedSocket(path: path) == nil)
  }

  @Test func `a path with special characters is one host in the URL`() throws {
    let socket = try #require(SharedSocket(path: "/run/a b%2F/é.sock"))
    #expect(socket.baseURL == "http+unix://%2Frun%2Fa%20b%252F%2F%C3%A9.sock")
  }

  // MARK: Real sockets

  private func error(at path: String) async throws -> TransportError? {
    let socket = try #require(SharedSocket(path: path))
    let transport = HTTPTransport(connectTimeout: .seconds(120), socket: socket)
    let error = await failure(of: .to(SharedSocket.serverURL), through: transport)
    await transport.shutDown()
    return error
  }

  private func expect(
    _ expected: TransportError?, at path: String, location: SourceLocation = #_sourceLocation
  ) async throws {
    let found = try await error(at: path)
    #expect(found == expected, sourceLocation: location)
  }

  private func expectUntrusted(at path: String, location: SourceLocation = #_sourceLocation) async throws {
    let found = try await error(at: path)
    if case .socket(_, .untrusted)? = found { return }
    Issue.record("\(String(describing: found))", sourceLocation: location)
  }

  private func withSocket(_ body: (ScriptedServer) async throws -> Void) async throws {
    let server = try await ScriptedServer.start(socket: folder.socket) { _ in .answer(204) }
    do {
      try await body(server)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  @Test func `a socket in a private folder is used`() async throws {
    try await withSocket { server in
      try await expect(nil, at: folder.socket)
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: [0o777, 0o775, 0o1777] as [UInt32])
  func `nothing is sent to a socket in a folder that others can write to`(mode: UInt32) async throws {
    try await withSocket { server in
      folder.setMode(mode)
      try await expectUntrusted(at: folder.socket)
      #expect(server.connectionCount == 0)
    }
  }

  @Test func `links to a socket are refused, but links to its folder are followed`() async throws {
    try await withSocket { server in
      let link = "\(folder.path)/link.sock"
      symlink(folder.socket, link)
      try await expectUntrusted(at: link)
      #expect(server.connectionCount == 0)
      let other = SocketFolder()
      symlink(folder.path, "\(other.path)/folder")
      try await expect(nil, at: "\(other.path)/folder/qwinkle.sock")
    }
  }

  @Test func `a regular file is refused`() async throws {
    systemClose(systemOpen(folder.socket, O_CREAT | O_WRONLY, 0o666))
    try await expectUntrusted(at: folder.socket)
  }

  /// Only root can give a file away.
  @Test(.enabled(if: geteuid() == 0)) func `a socket of another user in root's folder is used, as of a service`()
    async throws
  {
    try await withSocket { server in
      #expect(chown(folder.socket, 65_534, 65_534) == 0)
      try await expect(nil, at: folder.socket)
      #expect(chown(folder.path, 65_533, 65_533) == 0)
      try await expectUntrusted(at: folder.socket)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a missing socket is reported and found again`() async throws {
    try await withSocket { _ in
      folder.hideSocket()
      try await expect(.socket(path: folder.socket, .missing), at: folder.socket)
      folder.showSocket()
      try await expect(nil, at: folder.socket)
    }
    let missing = "\(folder.path)/none/qwinkle.sock"
    try await expect(.socket(path: missing, .missing), at: missing)
  }

  @Test func `a socket without a server is reported as not running`() async throws {
    // A killed server leaves its socket.
    close(try RawClient.listen(at: folder.socket))
    try await expect(.socket(path: folder.socket, .notListening), at: folder.socket)
  }

  @Test(.enabled(if: geteuid() != 0)) func `a socket without permission is reported`() async throws {
    try await withSocket { _ in
      chmod(folder.socket, 0o000)
      #expect(SharedSocket(path: folder.socket)?.fault == .notAllowed)
      try await expect(.socket(path: folder.socket, .notAllowed), at: folder.socket)
    }
  }

  @Test(arguments: [
    (SocketFault.missing, "The server's socket /run/q.sock does not exist.", true),
    (.notListening, "The server at /run/q.sock is not running.", true),
    (.busy, "The server at /run/q.sock accepts no more connections now.", true),
    (.notAllowed, "You have no permission to connect to /run/q.sock.", false),
    (.untrusted(reason: "it is a symbolic link"), "/run/q.sock is not trusted, because it is a symbolic link.", false),
  ])
  func `a fault of the socket is a sentence, and nothing was sent`(
    fault: SocketFault, sentence: String, isTransient: Bool
  ) {
    let error = DownloadError.transport(.socket(path: "/run/q.sock", fault))
    #expect(error.summary == sentence && !error.advice.isEmpty)
    #expect(error.isTransient == isTransient && error.wasNotSent && !error.mayHaveArrived)
  }
}
