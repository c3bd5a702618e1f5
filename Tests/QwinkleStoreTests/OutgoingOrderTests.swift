import Foundation
import QwinkleModel
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleStore

/// Calls that are queued while the disk is slow: their result equals the result of calls that run one by one.
@MainActor
@Suite(.bounded) struct OutgoingOrderTests {
  /// A call between two saves of the draft "entry".
  enum Call: String, CaseIterable {
    case queueItem, queueThread, forget, release, discard, replace, bringForward, take, takeItems, noteArrived, begin
  }

  private func draft(_ text: String) -> OutgoingEntry {
    OutgoingEntry(id: "entry", purpose: EntryPurpose.new.key, entry: Entry(text: text, idempotencyKey: "key"))
  }

  private func item(_ text: String, id: String = "entry") -> OutboxItem {
    var entry = draft(text)
    entry.id = id
    return OutboxItem(entry, sending: entry.entry, at: VirtualClock().now)
  }

  private func call(_ call: Call, _ store: OutgoingStore) {
    switch call {
    case .queueItem: store.keep(item("queued")) { _ in }
    case .queueThread: store.keep(all: [item("part", id: "part")], insteadOf: "entry") { _ in }
    case .forget: store.forget("entry")
    case .release: store.release("entry")
    case .discard: store.discard("entry") { _ in }
    case .replace: store.replace(by: draft("replaced")) { _ in }
    case .bringForward: store.bringForward("entry") { _ in }
    case .take: store.take(.new) { _, _ in }
    case .takeItems: store.takeItems { _, _ in }
    case .noteArrived: store.noteArrived("1")
    case .begin: store.begin(item("begun")) { _ in }
    }
  }

  /// Saves a draft, makes a call, and saves the draft again. Returns the saved rows. If `isSlow` is true, the file
  /// responds only after all calls were made.
  private func rows(_ between: Call, isSlow: Bool) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let ledger = ActivityLedger()
    let store = OutgoingStore(directory: folder, ledger: ledger, clock: VirtualClock())
    let disk = DispatchSemaphore(value: 0)
    if isSlow { store.run("waiting for the disk") { _ in disk.wait() } }
    let calls = [
      {
        store.hold("entry")
        store.keep(draft("first")) { _ in }
      }, { call(between, store) }, { store.keep(draft("second")) { _ in } },
    ]
    for call in calls {
      call()
      if !isSlow { await ledger.settle() }
    }
    disk.signal()
    await ledger.settle()
    store.close()
    return try OutgoingDatabase.items(in: folder).map { item in
      "\(item.id == "entry" || item.id == "part" ? item.id : "other") \(item.state) \(item.entry?.entry.text ?? "")"
    }
  }

  /// Returns the stored items after `calls`. Before them, a save of the entry with the text "old" has failed.
  private func items(afterFailedSave calls: (OutgoingStore) -> Void) async throws -> [OutboxItem] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let ledger = ActivityLedger()
    let store = OutgoingStore(directory: folder, ledger: ledger, clock: VirtualClock())
    store.setReadOnly(true)
    store.hold("entry")
    store.keep(draft("old")) { _ in }
    await ledger.settle()
    #expect(store.hasUnsaved)
    store.setReadOnly(false)
    calls(store)
    store.close()
    await ledger.settle()
    return try OutgoingDatabase.items(in: folder)
  }

  @Test func `a flush doesn't replace a newer save with an older one that had failed`() async throws {
    let items = try await self.items { $0.keep(draft("new")) { _ in } }
    #expect(items.map { $0.entry?.entry.text } == ["new"])
  }

  @Test(arguments: [true, false]) func `a flush doesn't restore a draft that a queued post replaces`(
    isThread: Bool
  ) async throws {
    let items = try await self.items { store in
      if isThread {
        store.keep(all: [item("post", id: "part")], insteadOf: "entry") { _ in }
      } else {
        store.keep(item("post", id: "part"), insteadOf: "entry") { _ in }
      }
    }
    #expect(items.map(\.id) == ["part"])
  }

  @Test func `a draft that replaces two messages removes both`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let ledger = ActivityLedger()
    let store = OutgoingStore(directory: folder, ledger: ledger, clock: VirtualClock())
    for id in ["1", "2"] { store.keep(item("message", id: id)) { _ in } }
    await ledger.settle()
    let disk = DispatchSemaphore(value: 0)
    store.run("waiting for the disk") { _ in disk.wait() }
    store.hold("entry")
    for id in ["1", "2"] { store.keep(draft("both"), insteadOf: id) { _ in } }
    disk.signal()
    await ledger.settle()
    store.close()
    #expect(try OutgoingDatabase.items(in: folder).map(\.id) == ["entry"])
  }

  @Test(arguments: Call.allCases) func `calls queued on a slow disk keep their order`(between: Call) async throws {
    let slow = try await rows(between, isSlow: true)
    #expect(try await rows(between, isSlow: false) == slow)
    #expect(slow.contains { $0.hasSuffix("draft second") }, "\(slow)")
  }
}
