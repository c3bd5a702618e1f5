import Foundation
import GRDB
import QwinkleModel
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleStore

/// The list of entries, open or not. Each store acts as a separate program.
@MainActor
@Suite(.bounded) struct OutgoingListTests {
  private let ledger = ActivityLedger()
  private let clock = VirtualClock()

  private func inFolder(_ body: (_ path: String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "qwinkle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  private func program(in path: String) -> OutgoingStore {
    OutgoingStore(directory: path, ledger: ledger, clock: clock)
  }

  private func entry(_ text: String, _ purpose: EntryPurpose = .new) -> OutgoingEntry {
    OutgoingEntry(id: "id-\(text)", purpose: purpose.key, entry: Entry(text: text, idempotencyKey: "k-\(text)"))
  }

  /// Saves entries a second apart and releases them.
  private func save(_ entries: OutgoingEntry..., in store: OutgoingStore) async {
    for entry in entries {
      store.restore(entry) { #expect($0 == nil) }
      await ledger.settle()
      clock.advance(by: .seconds(1))
    }
  }

  private func list(_ store: OutgoingStore) async throws -> [SavedEntry] {
    try await callbackValue(of: "the list") { done in
      store.list { entries, error in
        #expect(error == nil)
        done(entries)
      }
    }
  }

  private func texts(_ store: OutgoingStore) async throws -> [String] {
    try await list(store).map(\.entry.entry.text)
  }

  private func take(_ store: OutgoingStore) async throws -> OutgoingEntry? {
    try await callbackValue(of: "the draft") { done in store.take(.new) { taken, _ in done(taken.entry) } }
  }

  private func bringForward(_ id: String, _ store: OutgoingStore) async throws -> SavedEntry.Holder? {
    try await callbackValue(of: "the holder") { done in store.bringForward(id) { done((try? $0.get()) ?? nil) } }
  }

  private func discard(_ id: String, _ store: OutgoingStore) async throws -> OutgoingEntry? {
    try await callbackValue(of: "the discarded entry") { done in store.discard(id) { done((try? $0.get()) ?? nil) } }
  }

  @Test func `a value of another type hides only its draft`() async throws {
    let columns = [
      "id", "kind", "purpose", "content", "holder", "revision", "changed", "state", "position", "thread", "waits_for",
      "next_attempt", "attempts", "held", "reason",
    ]
    for column in columns {
      try await inFolder { path in
        let first = program(in: path)
        await save(entry("a"), entry("b"), in: first)
        first.close()
        let queue = try DatabaseQueue(path: path + "/outgoing.sqlite")
        try await queue.write {
          try $0.execute(sql: "UPDATE entry SET \(column) = \(column == "content" ? "7" : "x'FF'") WHERE id = 'id-a'")
        }
        try queue.close()
        let store = program(in: path)
        #expect(try await texts(store).contains("b"), "\(column)")
        let items = try await callbackValue(of: "the items") { done in store.takeItems { items, _ in done(items) } }
        #expect(items?.taken.isEmpty != false, "\(column)")
        store.loadPurposes()
        await ledger.settle()
        store.close()
      }
    }
  }

  @Test(arguments: ["holder", "revision"])
  func `a value of another type hides only its item of the outbox`(column: String) async throws {
    try await inFolder { path in
      let first = program(in: path)
      await save(entry("a"), entry("b"), in: first)
      first.close()
      let queue = try DatabaseQueue(path: path + "/outgoing.sqlite")
      try await queue.write {
        try $0.execute(sql: "UPDATE entry SET state = 'queued'; UPDATE entry SET \(column) = x'FF' WHERE id = 'id-a'")
      }
      try queue.close()
      let store = program(in: path)
      let items = try await callbackValue(of: "the items") { done in store.takeItems { items, _ in done(items) } }
      #expect(items?.taken.map(\.id) == ["id-b"])
      store.close()
    }
  }

  @Test func `the list starts with the last change and never reuses a number`() async throws {
    try await inFolder { path in
      let store = program(in: path)
      #expect(try await list(store).isEmpty)
      await save(entry("a"), entry("b"), entry("c"), in: store)
      let listed = try await list(store)
      #expect(listed.map(\.entry.entry.text) == ["c", "b", "a"] && listed.map(\.number) == [3, 2, 1])
      #expect(listed.map(\.changedAt) == listed.map(\.changedAt).sorted(by: >))
      #expect(try await discard("id-c", store) == entry("c"))
      await save(entry("d"), in: store)
      #expect(try await list(store).map(\.number) == [4, 2, 1])
      store.close()
    }
  }

  @Test func `the list shows which program has an entry open`() async throws {
    try await inFolder { path async throws in
      let (one, two) = (program(in: path), program(in: path))
      await save(entry("a"), in: one)
      #expect(try await list(one).map(\.holder) == [.nobody])
      #expect(try await take(one) == entry("a"))
      #expect(try await list(one).map(\.holder) == [.thisProgram])
      #expect(try await list(two).map(\.holder) == [.otherProgram])
      // An open entry can't be discarded, moved or replaced.
      #expect(try await discard("id-a", two) == nil)
      #expect(try await discard("id-a", one) == nil)
      #expect(try await bringForward("id-a", two) == .otherProgram)
      #expect(try await bringForward("id-a", one) == .thisProgram)
      two.replace(by: entry("a")) { #expect((try? $0.get()) == false) }
      await ledger.settle()
      // A killed program holds no entry.
      one.abandon()
      #expect(try await list(two).map(\.holder) == [.nobody])
      #expect(try await discard("id-a", two) == entry("a"))
      #expect(try await bringForward("id-a", two) == nil)
      two.close()
    }
  }

  @Test func `an entry that is brought forward is taken next`() async throws {
    try await inFolder { path async throws in
      let store = program(in: path)
      await save(entry("a"), entry("b"), entry("c"), in: store)
      clock.advance(by: .seconds(-60))
      #expect(try await bringForward("id-a", store) == .nobody)
      #expect(try await take(store) == entry("a"))
      store.release("id-a")
      store.close()
    }
  }

  @Test func `a discarded entry can be restored with its id and taken by another program`() async throws {
    try await inFolder { path in
      let store = program(in: path)
      await save(entry("a"), in: store)
      let discarded = try #require(try await discard("id-a", store))
      #expect(!store.hasPurpose("new"))
      #expect(try await list(store).isEmpty)
      await save(discarded, in: store)
      #expect(try await texts(store) == ["a"] && store.hasPurpose("new"))
      let other = program(in: path)
      #expect(try await take(other) == entry("a"))
      other.close()
      store.close()
    }
  }

  @Test func `an entry's purpose can be replaced in place`() async throws {
    try await inFolder { path async throws in
      let store = program(in: path)
      let reply = EntryPurpose.message(to: Qwinker(id: "1", userName: "erin"))
      await save(entry("a", reply), in: store)
      #expect(try await take(store) == nil)
      store.replace(by: entry("a")) { #expect((try? $0.get()) == true) }
      await ledger.settle()
      #expect(try await take(store) == entry("a") && !store.hasPurpose(reply.key))
      store.close()
    }
  }

  @Test func `a change of the list is reported once the list contains it`() async throws {
    try await inFolder { path in
      let store = program(in: path)
      var seen: [[String]] = []
      store.didChangeList = { [weak store] in
        store?.list { entries, _ in seen.append(entries.map(\.entry.entry.text)) }
      }
      await save(entry("a"), in: store)
      #expect(seen.last == ["a"])
      _ = try await discard("id-a", store)
      await ledger.settle()
      #expect(seen.last == [])
      store.didChangeList = nil
      store.close()
    }
  }

  @Test func `an entry that could not be saved is listed and can be discarded`() async throws {
    try await inFolder { path in
      let store = program(in: path)
      await save(entry("a"), in: store)
      store.setReadOnly(true)
      store.restore(entry("b")) { #expect($0 != nil) }
      await ledger.settle()
      let listed = try await list(store)
      #expect(listed.map(\.entry.entry.text) == ["b", "a"] && listed.map(\.isSaved) == [false, true])
      #expect(try await discard("id-b", store) == entry("b") && !store.hasUnsaved)
      #expect(try await texts(store) == ["a"])
      store.setReadOnly(false)
      store.close()
    }
  }

  @Test func `an entry's subject is read back unchanged or not at all`() throws {
    var qwink = Qwink(
      id: "7", author: Qwinker(id: "1", userName: "erin", handle: "erin@tilde.example"),
      createdAt: Date(timeIntervalSince1970: 60), text: RichText(plain: "Hello <you> & “me”"))
    qwink.visibility = .private
    qwink.mentions = [.init(id: "2", userName: "bob", handle: "bob@example.org")]
    let erin = qwink.author
    for purpose in [
      EntryPurpose.new, .reply(to: qwink), .edit(qwink), .message(to: erin),
      .conversation(Conversation(id: "with/1+2", participants: [erin], lastQwink: qwink)),
    ] {
      let empty = Entry(text: "", idempotencyKey: "")
      let saved = OutgoingEntry(purpose: purpose.key, entry: empty, subject: purpose.subject)
      let read = try #require(EntryPurpose(of: saved))
      #expect(read.key == purpose.key)
      switch (read, purpose) {
      case (.reply(let new), .reply(let old)), (.edit(let new), .edit(let old)):
        #expect(new.text == old.text && new.mentions.map(\.handle) == old.mentions.map(\.handle))
        #expect(new.visibility == old.visibility && new.author.handle == old.author.handle)
      case (.message(let new), .message(let old)): #expect(new.handle == old.handle)
      case (.conversation(let new), .conversation(let old)):
        #expect(new.participants.map(\.handle) == old.participants.map(\.handle))
        #expect(new.lastQwink?.originalID == old.lastQwink?.originalID)
      default: #expect(read == .new && purpose == .new)
      }
    }
    for (purpose, subject) in [("reply/8", EntryPurpose.reply(to: qwink).subject), ("reply/7", nil), ("odd", nil)] {
      let saved = OutgoingEntry(purpose: purpose, entry: Entry(text: "", idempotencyKey: ""), subject: subject)
      #expect(EntryPurpose(of: saved) == nil)
    }
  }

  @Test func `files are saved with an entry and unknown file details cost no draft`() throws {
    var entry = entry("Boats")
    entry.entry.attachmentIDs = ["5"]
    entry.files = [OutgoingFile(id: "5", name: "quay.png", byteCount: 2000, kind: .image, altText: "Boats at noon")]
    let json = String(decoding: try JSONEncoder().encode(entry), as: UTF8.self)
    func read(_ json: String) throws -> OutgoingEntry {
      try JSONDecoder().decode(OutgoingEntry.self, from: Data(json.utf8))
    }
    #expect(try read(json).files == entry.files)
    let newer = json.replacingOccurrences(of: #""image""#, with: #""hologram""#)
      .replacingOccurrences(of: #""Boats at noon""#, with: "null").replacingOccurrences(of: "2000", with: #""2 KB""#)
    #expect(try read(newer).files == [OutgoingFile(id: "5", name: "quay.png")])
    let older = String(decoding: try JSONEncoder().encode(self.entry("Boats")), as: UTF8.self)
    #expect(!older.contains("files"))
    #expect(try read(older).files == nil)
  }
}
