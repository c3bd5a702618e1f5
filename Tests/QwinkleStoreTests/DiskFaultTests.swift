import Foundation
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

/// System calls of SQLite fail, one in each run. Nothing may crash, and no draft may be lost.
@MainActor
@Suite(.serialized, .bounded) struct DiskFaultTests {
  private let ledger = ActivityLedger()
  private let clock = VirtualClock()

  // Every third call fails, or every one in a soak.
  private static let step = Soak.isOn ? 1 : 3
  private static let first = Int(Soak.seed % UInt64(step))

  private func inFolder(_ body: (_ path: String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "qwinkle-fault-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  private func entry(_ text: String, id: String) -> OutgoingEntry {
    OutgoingEntry(id: id, purpose: EntryPurpose.new.key, entry: Entry(text: text, idempotencyKey: "k-\(id)"))
  }

  private func keep(_ entry: OutgoingEntry, in store: OutgoingStore) async throws -> Result<String, StoreError> {
    store.hold(entry.id)
    return try await callbackValue(of: "the saved entry") { done in store.keep(entry) { done($0) } }
  }

  /// Names of files that were set aside as corrupt.
  private func setAside(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.contains("damaged") }
  }

  @Test(arguments: DiskFaults.Kind.allCases)
  func `a failing system call loses no draft and reports an error`(kind: DiskFaults.Kind) async throws {
    var (count, wasHit) = (Self.first, true)
    while wasHit {
      try await inFolder { path in
        let first = OutgoingStore(directory: path, ledger: ledger, clock: clock)
        #expect(try await keep(entry("old", id: "a"), in: first).get() == "a")
        first.close()

        var (later, new) = (Result<String, StoreError>.success(""), Result<String, StoreError>.success(""))
        wasHit = try await DiskFaults.failing(after: count, as: kind, in: path) {
          let store = OutgoingStore(directory: path, ledger: ledger, clock: clock)
          let taken: OutgoingEntry? = try await callbackValue(of: "the draft") { done in
            store.take(.new) { taken, _ in done(taken.entry) }
          }
          later = try await keep(entry("changed", id: taken?.id ?? "a"), in: store)
          new = try await keep(entry("new", id: "b"), in: store)
          // Not closed, because the test must not depend on the save at closing.
          store.abandon()
        }
        let texts = try OutgoingStore.entries(in: path).map(\.entry.text)
        #expect(texts.contains("old") || texts.contains("changed"), "call \(count): \(texts)")
        if case .success = later { #expect(texts.contains("changed"), "call \(count): \(texts)") }
        if case .success = new { #expect(texts.contains("new"), "call \(count): \(texts)") }
        for case .failure(let error) in [later, new] { #expect(error.sentence.hasSuffix(".")) }
        #expect(setAside(in: path).isEmpty, "call \(count)")
      }
      count += Self.step
    }
    print("\(kind): every call of \(count - Self.step), in steps of \(Self.step)")
    #expect(count > 20)
  }

  @Test(arguments: DiskFaults.Kind.allCases)
  func `a failing system call leaves a readable cache`(kind: DiskFaults.Kind) async throws {
    var (count, wasHit) = (Self.first, true)
    while wasHit {
      try await inFolder { path in
        let first = try TimelineCache(directory: path, ledger: ledger)
        first.merge(.sample(ids: ["3", "2", "1"], older: "a"), at: .newest, in: .public)
        first.close()
        wasHit = await DiskFaults.failing(after: count, as: kind, in: path) {
          guard let cache = try? TimelineCache(directory: path, ledger: ledger) else { return }
          cache.merge(.sample(ids: ["5", "4", "3"], older: "b"), at: .newest, in: .public)
          _ = cache.load(.public, limit: 10)
          await ledger.settle()
          cache.close()
        }
        let kept = try TimelineCache(directory: path, ledger: ledger)
        let ids = kept.load(.public, limit: 10).rows.map { $0.qwink?.id.rawValue ?? "gap" }
        #expect([["5", "4", "3", "2", "1"], ["3", "2", "1"]].contains(ids), "call \(count): \(ids)")
        kept.close()
        #expect(setAside(in: path).isEmpty, "call \(count)")
      }
      count += Self.step
    }
    #expect(count > 20)
  }

  @Test func `read-only files lose nothing and report an error`() async throws {
    try await inFolder { path in
      let first = OutgoingStore(directory: path, ledger: ledger, clock: clock)
      #expect(try await keep(entry("old", id: "a"), in: first).get() == "a")
      first.close()
      let cache = try TimelineCache(directory: path, ledger: ledger)
      cache.merge(.sample(ids: ["3", "2", "1"], older: "a"), at: .newest, in: .public)
      await ledger.settle()
      cache.close()

      try await DiskFaults.readOnly(in: path) {
        let store = OutgoingStore(directory: path, ledger: ledger, clock: clock)
        let result = try await keep(entry("new", id: "b"), in: store)
        guard case .failure(let error) = result else {
          Issue.record("saved on a read-only disk")
          return
        }
        #expect(error.sentence.hasSuffix(".") && store.hasUnsaved)
        store.abandon()
        do throws(StoreError) {
          let cache = try TimelineCache(directory: path, ledger: ledger)
          #expect(cache.load(.public, limit: 10).rows.count == 3)
          cache.merge(.sample(ids: ["4", "3"], older: "b"), at: .newest, in: .public)
          await ledger.settle()
          cache.close()
        } catch {
          #expect(error.sentence.hasSuffix("."))
        }
      }
      #expect(try OutgoingStore.entries(in: path).map(\.entry.text) == ["old"])
      #expect(setAside(in: path).isEmpty)
      let kept = try TimelineCache(directory: path, ledger: ledger)
      #expect(kept.load(.public, limit: 10).rows.compactMap(\.qwink?.id.rawValue) == ["3", "2", "1"])
      kept.close()
    }
  }
}
