import Foundation
import QwinkleModel
import QwinkleStore
import Testing
import Timekeeping

/// All saved files are private to their owner.
@MainActor
@Suite struct PrivateFilesTests {
  private static let account = "anna@tilde.example"

  /// Runs `body` in a folder that is deleted afterwards.
  private func inFolder(_ body: (_ path: String) throws -> Void) rethrows {
    let path = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  /// Saves one item of each kind below `path`.
  private func keepEverything(in path: String) throws {
    try SecretFiles(directory: path).keep(try #require(Secret("canary")), as: .token, for: Self.account)
    keepDraft("half a thou", in: path)
    RestorationFile(directory: "\(path)/state", account: Self.account).save(["main": ["section": "home"]])
    try AccountsFile(directory: "\(path)/data").change {
      $0.put(SavedAccount(name: Self.account, serverURL: "https://tilde.example", clientID: nil, tokenOrigin: .file))
    }
  }

  private func keepDraft(_ text: String, in path: String) {
    let store = OutgoingStore(directory: "\(path)/data", ledger: ActivityLedger(), clock: VirtualClock())
    store.keep(OutgoingEntry(purpose: "new", entry: Entry(text: text, idempotencyKey: "k"))) { _ in }
    store.close()
  }

  private func openCache(in path: String) throws -> TimelineCache {
    let cache = try TimelineCache(directory: "\(path)/cache", ledger: ActivityLedger())
    cache.replace([], of: .public, older: PageCursor(url: "a"))
    cache.flush()
    return cache
  }

  /// Returns paths below `path` that other users can access.
  private func open(below path: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).filter { try mode(of: "\(path)/\($0)") & 0o077 != 0 }
  }

  @Test func `only the owner can read saved files under any umask`() throws {
    // The umask applies to the whole process. No other test changes it.
    let former = umask(0)
    defer { umask(former) }
    for mask in [0, 0o022, 0o077] as [mode_t] {
      umask(mask)
      try inFolder { path in
        try keepEverything(in: path)
        let cache = try openCache(in: path)
        let found = try FileManager.default.subpathsOfDirectory(atPath: path)
        let expected = [
          "cache/cache.sqlite", "cache/cache.sqlite-wal", "cache/cache.sqlite-shm", "data/accounts.json",
          "data/outgoing.sqlite", "secrets/\(Self.account).token", "state/screen-\(Self.account)",
        ]
        #expect(Set(expected).subtracting(found) == [])
        for name in found {
          #expect(try mode(of: "\(path)/\(name)") == (expected.contains(name) ? 0o600 : 0o700), "\(name)")
        }
        cache.close()
      }
    }
  }

  @Test func `files that an earlier version left open to other users become private`() throws {
    try inFolder { path in
      try keepEverything(in: path)
      let cache = try openCache(in: path)
      for suffix in ["", "-wal", "-shm"] { chmod("\(path)/cache/cache.sqlite\(suffix)", 0o644) }
      chmod("\(path)/state/screen-\(Self.account)", 0o644)
      chmod("\(path)/data/outgoing.sqlite", 0o644)
      #expect(try open(below: path).count == 5)

      let again = try openCache(in: path)
      RestorationFile(directory: "\(path)/state", account: Self.account).save(["main": ["section": "public"]])
      keepDraft("half a thought", in: path)
      #expect(try open(below: path) == [])
      #expect(again.load(.public, limit: 1).older == PageCursor(url: "a"))
      for cache in [cache, again] { cache.close() }
    }
  }
}
