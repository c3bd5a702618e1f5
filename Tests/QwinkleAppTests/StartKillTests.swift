import Foundation
import GRDB
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

/// SIGKILL while the program migrates old files and prunes the cache: the user's texts and bookmarks survive.
@Suite(.bounded) struct StartKillTests {
  private static let killsOfLife = 6
  /// Size of a new cache, in bytes. The limit is 16 MB.
  private static let size = 24 << 20

  @Test(arguments: Soak.seeds(1)) func `a kill during startup loses neither texts nor bookmarks`(
    seed: UInt64
  ) async throws {
    var random = SplitMix(seed: seed)
    let server = CountingServer(seed: seed, honoursKeys: true)
    try await withServer(server.answer) { front in
      try await Program.inNewHome { program in
        let token = server.accounts.makeToken(for: "mara")
        let outcome = try await program.run("login", front.url, "--token-stdin", input: token + "\n")
        try #require(outcome.status == 0, "\(outcome.errors)")
        try await run(program, forMilliseconds: 500, afterRefresh: true)
        let folders = try Folders(program)
        let files = FileManager.default
        try files.removeItem(atPath: folders.cache)
        try await fill(folders.cache)
        let full = try Data(contentsOf: folders.cacheFile)
        var sizes: [Int] = []
        for round in 0..<Self.killsOfLife {
          if round.isMultiple(of: 3) {
            for folder in [folders.cache, folders.outgoing] {
              for name in try files.contentsOfDirectory(atPath: folder) where name.contains(".sqlite") {
                try files.removeItem(atPath: "\(folder)/\(name)")
              }
            }
            try full.write(to: folders.cacheFile)
            try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folders.cacheFile.path)
            try await folders.writeOldOutgoing()
          }
          // The cache is pruned after the second refresh.
          let refreshes = Bool.random(using: &random)
          try await run(program, forMilliseconds: Int.random(in: 0...800, using: &random), afterRefresh: refreshes)
          sizes.append(try check(folders, of: program))
        }
        // On a busy machine, pruning may take another start.
        for _ in 0..<20 where sizes.allSatisfy({ $0 >= Self.size * 3 / 4 }) {
          try await run(program, forMilliseconds: 2000, afterRefresh: true)
          sizes.append(try check(folders, of: program))
        }
        let items = try OutgoingStore.items(in: folders.outgoing)
        #expect(items.map(\.state) == [.failed, .uncertain] && items.map(\.isHeld) == [false, true])
        #expect(server.texts(beginningWith: "sent?").isEmpty && server.texts(beginningWith: "@alice").isEmpty)
        print("seed \(seed): content of \(sizes.map { $0 >> 20 }) MB after the kills")
        #expect(sizes.contains { $0 < Self.size * 3 / 4 }, "nothing was ever pruned")
      }
    }
  }

  private struct Folders {
    let cache: String
    let outgoing: String
    var cacheFile: URL { URL(fileURLWithPath: "\(cache)/cache.sqlite") }

    init(_ program: Program) throws {
      let files = program.files().map(\.path)
      let file = try #require(files.first { $0.hasSuffix("/cache.sqlite") && $0.contains("mara@") })
      cache = "\(program.home)/\(file.dropLast("/cache.sqlite".count))"
      outgoing = "\(program.home)/.local/share/qwinkle/\(URL(fileURLWithPath: cache).lastPathComponent)"
      try FileManager.default.createDirectory(
        atPath: outgoing, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      SettingsFile(directory: "\(program.home)/.local/state/qwinkle").set("cache", to: "16")
    }

    func writeOldOutgoing() async throws {
      let path = "\(outgoing)/outgoing.sqlite"
      let queue = try DatabaseQueue(path: path)
      try await queue.write { try $0.execute(sql: OldOutgoingFile.version1) }
      try queue.close()
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
  }

  /// Creates a cache that exceeds its limit.
  private func fill(_ directory: String) async throws {
    let ledger = ActivityLedger()
    let cache = try TimelineCache(directory: directory, ledger: ledger)
    let text = String(repeating: String(repeating: "long", count: 20) + " ", count: 100)
    func row(_ id: Int) -> TimelineCache.Row { TimelineCache.Row(.qwink(.sample(id: Qwink.ID("\(id)"), text: text))) }
    cache.replace((10_000..<(10_000 + Self.size / text.utf8.count)).reversed().map(row), of: .local, older: nil)
    cache.replace((1...20).reversed().map(row), of: .bookmarks, older: nil)
    await ledger.settle()
    cache.close()
  }

  private func run(_ program: Program, forMilliseconds time: Int, afterRefresh: Bool) async throws {
    let terminal = try PseudoTerminal()
    defer { terminal.close() }
    let spawned = try terminal.start(
      [Program.path], environment: program.with(["TERM": "xterm-256color"]).environment, directory: program.home)
    if afterRefresh {
      try await terminal.waitForTimeline()
      await Pace.rest(milliseconds: 300)
      terminal.type("R")
    }
    await Pace.rest(milliseconds: time)
    spawned.signal(SIGKILL)
    _ = try await spawned.waitForEnd()
  }

  /// Checks all files. Returns the size of the cache's content, in bytes.
  private func check(_ folders: Folders, of program: Program) throws -> Int {
    for file in program.files() where file.path.hasSuffix(".sqlite") {
      let check = FileCheck(database: "\(program.home)/\(file.path)")
      #expect(check.problem == nil, "\(file.path): \(check.problem ?? "")")
    }
    #expect(!program.files().contains { $0.path.contains("damaged") })
    let drafts = try OutgoingStore.entries(in: folders.outgoing).map(\.entry.text)
    #expect(Set(drafts) == ["half a thou", "sent?"])
    #expect(try OutgoingStore.messages(in: folders.outgoing).map(\.text) == ["no", "perhaps"])
    let cache = try TimelineCache(directory: folders.cache, ledger: ActivityLedger())
    defer { cache.close() }
    let bookmarks = cache.load(.bookmarks, limit: 100).rows.compactMap { $0.qwink?.id.rawValue }
    #expect(bookmarks == (1...20).reversed().map(String.init))
    return cache.contentSize
  }
}
