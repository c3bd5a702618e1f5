import Foundation
import QwinkleService
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// The choice between the accounts, the shared timeline and the embedded server.
@Suite(.bounded) struct SharedTimelineTests {
  /// The shared timeline in the list of accounts.
  private static let shown = "shared (\(SharedTimeline.accountWords))"

  /// A row of the table: the user's options and files, and the folder of the resulting account, or the start of the
  /// error.
  struct Row: CustomTestStringConvertible, Sendable {
    var account: String?
    var option: Bool
    var config: String?
    var isFound: Bool
    var hasDefault: Bool
    var result: String

    var testDescription: String {
      "--as \(account ?? "–"), --socket \(option), socket = \(config ?? "–"), found \(isFound), default \(hasDefault)"
    }

    init(
      _ result: String, account: String? = nil, option: Bool = false, config: String? = nil, isFound: Bool = false,
      hasDefault: Bool = false
    ) {
      self.result = result
      self.account = account
      self.option = option
      self.config = config
      self.isFound = isFound
      self.hasDefault = hasDefault
    }
  }

  private static let anna = "anna@tilde.example"

  static let rows = [
    Row("local"), Row("shared", isFound: true), Row(anna, hasDefault: true),
    Row(anna, isFound: true, hasDefault: true),
    // Names
    Row("local", account: "local", isFound: true), Row("local", account: "local", isFound: true, hasDefault: true),
    Row("shared", account: "shared", isFound: true, hasDefault: true), Row("shared", account: "shared"),
    Row("shared", account: "shared", config: "off", isFound: true),
    Row(anna, account: "anna", isFound: true, hasDefault: true),
    Row("No account “carla”", account: "carla", isFound: true),
    // The option
    Row("named", option: true), Row("named", option: true, isFound: true, hasDefault: true),
    Row("named", account: "shared", option: true, config: "off", isFound: true),
    Row("Use either --socket or --as", account: "anna", option: true, hasDefault: true),
    Row("Use either --socket or --as", account: "local", option: true),
    // The configuration
    Row("local", config: "off", isFound: true), Row(anna, config: "off", isFound: true, hasDefault: true),
    Row("shared", config: "auto", isFound: true), Row("local", config: "auto"),
    Row("named", config: "named"), Row("named", config: "named", isFound: true),
    Row(anna, config: "named", hasDefault: true), Row("named", account: "shared", config: "named", hasDefault: true),
    Row("local", account: "local", config: "named"),
  ]

  private func paths(_ home: String, _ socket: String) -> Paths {
    Paths(environment: ["HOME": home, "QWINKLE_SOCKET": socket])
  }

  private func write(_ config: String, in home: String) throws {
    try FileManager.default.createDirectory(atPath: "\(home)/.config/qwinkle", withIntermediateDirectories: true)
    try config.write(toFile: "\(home)/.config/qwinkle/config.toml", atomically: true, encoding: .utf8)
  }

  /// Runs `body` with a socket in its standard place and another one.
  private func withSockets(_ body: (_ found: SocketFolder, _ named: SocketFolder) async throws -> Void) async throws {
    let (found, named) = (SocketFolder(), SocketFolder())
    let servers = [
      try await ScriptedServer.start(socket: found.socket) { _ in .answer(204) },
      try await ScriptedServer.start(socket: named.socket) { _ in .answer(204) },
    ]
    do {
      try await body(found, named)
    } catch {
      for server in servers { await server.stop() }
      throw error
    }
    for server in servers {
      #expect(server.connectionCount == 0, "choosing an account connects to nothing")
      await server.stop()
    }
  }

  @Test(arguments: rows) func `an option overrides the default account, which overrides a found socket`(row: Row)
    async throws
  {
    try await withSockets { found, named in
      let home = SocketFolder()
      if !row.isFound { found.hideSocket() }
      if let config = row.config {
        try write("socket = \"\(config == "named" ? named.socket : config)\"\n", in: home.path)
      }
      let paths = paths(home.path, found.socket)
      if row.hasDefault {
        _ = try AccountsFile(directory: paths.data).change {
          $0.put(SavedAccount(name: Self.anna, serverURL: "https://tilde.example"))
        }
      }
      let choice = SessionChoice(account: row.account, socket: row.option ? named.socket : nil)
      do throws(AppError) {
        let owner = try AccountSession.owner(of: choice, paths: paths)
        guard case .shared(let timeline) = owner, row.result == "named" else {
          #expect(owner?.folder == row.result)
          return
        }
        #expect(timeline.socket.path == named.socket && timeline.isNamed)
        #expect(timeline.folder.hasPrefix("shared-") && timeline.folder.count == "shared-".count + 12)
      } catch {
        #expect(error.sentence.hasPrefix(row.result), "\(error.sentence)")
      }
    }
  }

  @Test func `a found socket that isn't trusted is passed over, but a named one is an error`() async throws {
    try await withSockets { found, named in
      let home = SocketFolder()
      found.setMode(0o777)
      named.setMode(0o777)
      let paths = paths(home.path, found.socket)
      #expect(try AccountSession.owner(of: SessionChoice(), paths: paths)?.folder == "local")
      #expect(try #require(SharedTimeline.distrust(paths)).contains("is not trusted, because others can write"))
      for choice in [SessionChoice(socket: named.socket), SessionChoice(account: "shared")] {
        let error = await #expect(throws: AppError.self) {
          try await AccountSession.begin(choice, paths: paths, clock: VirtualClock(), ledger: ActivityLedger())
        }
        #expect(error?.sentence.contains("is not trusted") == true, "\(String(describing: error))")
      }
      try write("socket = \"off\"\n", in: home.path)
      #expect(SharedTimeline.distrust(paths) == nil)
    }
  }

  @Test func `a user of the shared timeline stays there while its server restarts`() async throws {
    try await withSockets { found, _ in
      let home = SocketFolder()
      let paths = paths(home.path, found.socket)
      found.hideSocket()
      #expect(try AccountSession.owner(of: SessionChoice(), paths: paths)?.folder == "local")
      try FileManager.default.createDirectory(atPath: "\(paths.data)/shared", withIntermediateDirectories: true)
      #expect(try AccountSession.owner(of: SessionChoice(), paths: paths)?.folder == "shared")
      // Without the folder of the service, this may be another host with the same home directory.
      let elsewhere = self.paths(home.path, "\(found.path)/none/qwinkle.sock")
      #expect(try AccountSession.owner(of: SessionChoice(), paths: elsewhere)?.folder == "local")
      found.showSocket()
    }
  }

  @Test func `a session on the socket is signed in as the Unix user and starts quietly`() async throws {
    try await withSockets { found, _ in
      let home = SocketFolder()
      let paths = paths(home.path, found.socket)
      try await MainActor.run {
        let session = try AccountSession.begin(
          SessionChoice(), paths: paths, clock: VirtualClock(), ledger: ActivityLedger())
        defer { session.close() }
        #expect(session.isSignedIn && session.service == nil && session.accountFolder == "shared")
        #expect(session.words == "\(NSUserName())@\(SharedTimeline.hostName)")
        #expect(session.downloads.serverURL == "http://shared" && session.downloads.configuration.token == nil)
        #expect(!session.opensHome && !session.fetchesAhead)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    }
  }

  @Test func `the list of accounts has the shared and the local timeline`() async throws {
    try await withSockets { found, _ in
      let home = SocketFolder()
      let paths = paths(home.path, found.socket)
      try await MainActor.run {
        let accounts = BookAccounts(paths: paths, clock: VirtualClock(), ledger: ActivityLedger())
        #expect(accounts.names == ["shared", "local"])
        #expect(try accounts.fullName(of: "shared") == "shared" && accounts.words(of: "shared") == Self.shown)
        // The first connection would make an account.
        #expect(!accounts.opensByItself("shared"))
        try FileManager.default.createDirectory(atPath: "\(paths.data)/shared", withIntermediateDirectories: true)
        #expect(accounts.opensByItself("shared") && !accounts.opensByItself("local"))
      }
    }
  }

  @Test @MainActor func `the list of accounts opens a configured socket by its name`() async throws {
    try await withSockets { found, named in
      let home = SocketFolder()
      try write("socket = \"\(named.socket)\"\n", in: home.path)
      let paths = paths(home.path, found.socket)
      let accounts = BookAccounts(paths: paths, clock: VirtualClock(), ledger: ActivityLedger())
      let name = try #require(accounts.names.first)
      #expect(name.hasPrefix("shared-") && accounts.words(of: name) == Self.shown)
      #expect(try accounts.fullName(of: "shared") == name)
      let session = try await accounts.session(named: name, isOnTerminal: false)
      #expect(session.accountFolder == name)
      session.close()
    }
  }
}
