import Foundation
import QwinkleModel
import QwinkleStore
import TerminalTesting
import Testing
import Timekeeping

/// Entries that are not known to have arrived. Each store acts as a separate program.
@MainActor
@Suite(.bounded) struct OutgoingStoreTests {
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

  private func entry(_ text: String, _ purpose: EntryPurpose = .new, id: String = UUID().uuidString) -> OutgoingEntry {
    OutgoingEntry(id: id, purpose: purpose.key, entry: Entry(text: text, idempotencyKey: "k-\(id)"))
  }

  private func message(_ key: String, _ text: String = "hello") -> OutgoingMessage {
    OutgoingMessage(
      entry: Entry(text: "@alice \(text)", visibility: .direct, idempotencyKey: key), text: text, conversation: "a",
      writtenAt: Date(timeIntervalSince1970: 60))
  }

  private func item(_ key: String) -> OutboxItem { OutboxItem(earlier: message(key)) }

  private func messages(in path: String) throws -> [String] {
    try OutgoingStore.messages(in: path).map { "\($0.id) \($0.text) \($0.entry.text)" }
  }

  private func take(_ purpose: EntryPurpose = .new, from store: OutgoingStore) async throws -> OutgoingStore.Taken {
    try await callbackValue(of: "the draft") { done in store.take(purpose) { taken, _ in done(taken) } }
  }

  @discardableResult
  private func keep(_ entry: OutgoingEntry, in store: OutgoingStore) async throws -> Result<String, StoreError> {
    try await callbackValue(of: "the saved entry") { done in store.keep(entry) { done($0) } }
  }

  private func takeMessages(from store: OutgoingStore) async throws -> [String] {
    try await callbackValue(of: "the outbox") { done in
      store.takeItems { items, _ in done((items?.taken ?? []).map(\.id)) }
    }
  }

  private func texts(in path: String) throws -> [String] {
    try OutgoingStore.entries(in: path).map(\.entry.text)
  }

  private func reply(to id: String) -> EntryPurpose {
    .reply(
      to: Qwink(
        id: Qwink.ID(id), author: Qwinker(id: "1", userName: "erin"), createdAt: Date(timeIntervalSince1970: 0),
        text: RichText(plain: "Hello")))
  }

  // MARK: One program

  @Test func `purposes of saved drafts are loaded at the next start and removed with their drafts`() async throws {
    try await inFolder { (path: String) async throws in
      let first = program(in: path)
      let key = reply(to: "7").key
      try await keep(entry("Half a thought", reply(to: "7")), in: first)
      #expect(first.hasPurpose(key))
      first.close()
      let second = program(in: path)
      #expect(!second.hasPurpose(key))
      var changes: [Set<String>] = []
      second.didChangePurposes = { changes.append($0) }
      second.loadPurposes()
      await ledger.settle()
      #expect(second.hasPurpose(key) && changes == [[key]])
      #expect(EntryPurpose.Kind(key: key) == .reply(to: "7") && EntryPurpose.Kind(key: "new") == .new)
      let taken = try await take(reply(to: "7"), from: second)
      second.forget(taken.entry?.id ?? "")
      #expect(!second.hasPurpose(key) && changes == [[key], [key]])
      second.close()
    }
  }

  @Test func `an entry is saved under its purpose until it is forgotten`() async throws {
    try await inFolder { (path: String) async throws in
      let store = program(in: path)
      #expect(try await take(from: store).entry == nil)
      let (new, answer) = (entry("half a thou"), entry("@erin yes", reply(to: "7")))
      for entry in [new, answer] {
        store.hold(entry.id)
        try await keep(entry, in: store)
        store.release(entry.id)
      }
      #expect(try await take(from: store).entry == new)
      #expect(try await take(reply(to: "7"), from: store).entry == answer)
      #expect(try await take(reply(to: "8"), from: store).entry == nil)
      store.forget(new.id)
      store.close()
      #expect(try OutgoingStore.entries(in: path) == [answer])
    }
  }

  @Test func `a second entry for one purpose does not get the first one while it is open`() async throws {
    try await inFolder { (path: String) async throws in
      let store = program(in: path)
      let first = entry("first")
      store.hold(first.id)
      try await keep(first, in: store)
      let taken = try await take(from: store)
      #expect(taken.entry == nil && taken.heldElsewhere == 1)
      store.release(first.id)
      #expect(try await take(from: store).entry == first)
    }
  }

  @Test func `text typed during slow saves is written in the end`() async throws {
    try await inFolder { (path: String) async throws in
      let store = program(in: path)
      let id = UUID().uuidString
      for count in 1...500 { store.keep(entry(String(repeating: "x", count: count), id: id)) { _ in } }
      store.flush()
      #expect(try texts(in: path) == [String(repeating: "x", count: 500)])
      await ledger.settle()
    }
  }

  @Test func `an entry that can't be written stays in memory and is written later`() async throws {
    try await inFolder { (path: String) async throws in
      let store = program(in: path)
      let kept = entry("half a thou")
      store.setReadOnly(true)
      store.hold(kept.id)
      #expect(try await keep(kept, in: store) == .failure(.folderNotWritable(path: path)))
      #expect(store.hasUnsaved)
      store.release(kept.id)
      #expect(try await take(from: store).entry == kept)
      store.setReadOnly(false)
      store.flush()
      #expect(try texts(in: path) == ["half a thou"])
      await ledger.settle()
      #expect(!store.hasUnsaved)
    }
  }

  @Test func `a draft or sent post deleted after a failed save stays deleted`() async throws {
    try await inFolder { (path: String) async throws in
      let store = program(in: path)
      let saved = entry("other")
      store.hold(saved.id)
      #expect(try await keep(saved, in: store) == .success(saved.id))
      store.setReadOnly(true)
      let draft = entry("a draft")
      store.hold(draft.id)
      store.keep(draft) { _ in }
      store.forget(draft.id)
      let sent = OutboxItem(entry("a sent post"))
      store.keep(sent) { _ in }
      store.forget(sent.id)
      await ledger.settle()
      #expect(!store.hasUnsaved)
      store.setReadOnly(false)
      store.flush()
      #expect(try texts(in: path) == ["other"])
    }
  }

  @Test func `a folder that can't be created is reported and tried again`() async throws {
    try await inFolder { (path: String) async throws in
      try Data().write(to: URL(fileURLWithPath: path))
      let store = program(in: path + "/account")
      let kept = entry("half a thou")
      guard case .failure = try await keep(kept, in: store) else {
        Issue.record("it was kept where nothing can be")
        return
      }
      try FileManager.default.removeItem(atPath: path)
      #expect(try await keep(kept, in: store) == .success(kept.id))
    }
  }

  @Test func `a message replaces its draft and a draft replaces its message`() async throws {
    try await inFolder { (path: String) async throws in
      let store = program(in: path)
      let draft = entry("hello", id: "draft")
      store.hold("draft")
      try await keep(draft, in: store)
      store.keep(item("1"), insteadOf: "draft") { #expect((try? $0.get())??.position == 1) }
      store.flush()
      #expect(try OutgoingStore.entries(in: path) == [])
      #expect(try messages(in: path) == ["1 hello @alice hello"])
      store.hold("again")
      store.keep(entry("hello", id: "again"), insteadOf: "1") { _ in }
      store.flush()
      #expect(try texts(in: path) == ["hello"])
      #expect(try messages(in: path) == [])
      await ledger.settle()
    }
  }

  @Test func `files are private to their owner and no lock remains`() async throws {
    try await inFolder { (path: String) async throws in
      let store = program(in: path)
      try await keep(entry("x"), in: store)
      for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
        #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
      }
      store.close()
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["outgoing.sqlite"])
    }
  }

  // MARK: Two programs

  @Test func `an entry held by one program is not taken, changed or forgotten by another`() async throws {
    try await inFolder { (path: String) async throws in
      let (one, two) = (program(in: path), program(in: path))
      let first = entry("of one", id: "1")
      one.hold("1")
      try await keep(first, in: one)
      let taken = try await take(from: two)
      #expect(taken.entry == nil && taken.heldElsewhere == 1)
      two.forget("1")
      two.release("1")
      two.flush()
      #expect(try texts(in: path) == ["of one"])
      // A second entry with the same id gets a new id.
      let other = try await keep(entry("of two", id: "1"), in: two)
      #expect(try texts(in: path) == ["of one", "of two"])
      #expect(other != .success("1"))
      let renamed = try other.get()
      two.forget(renamed)
      two.flush()
      one.release("1")
      one.flush()
      #expect(try await take(from: two).entry == first)
      await ledger.settle()
    }
  }

  @Test func `an entry held by a killed program is available to the next`() async throws {
    try await inFolder { (path: String) async throws in
      let one = program(in: path)
      one.hold("1")
      try await keep(entry("half a thou", id: "1"), in: one)
      one.abandon()
      let two = program(in: path)
      #expect(try await take(from: two).entry?.entry.text == "half a thou")
      // A program that was wrongly considered dead neither loses nor deletes an entry.
      try await keep(entry("half a thought", id: "1"), in: one)
      one.forget("1")
      one.flush()
      try await keep(entry("half of another", id: "1"), in: two)
      #expect(try Set(texts(in: path)) == ["half a thought", "half of another"])
      two.close()
      one.close()
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".lock") } == [])
    }
  }

  @Test func `entries that no program holds are taken one by one with the newest first`() async throws {
    try await inFolder { (path: String) async throws in
      let (one, two) = (program(in: path), program(in: path))
      for (store, text) in [(one, "older"), (two, "newer")] {
        store.hold(text)
        try await keep(entry(text, id: text), in: store)
        clock.advance(by: .seconds(1))
        store.release(text)
        store.flush()
      }
      let first = try await take(from: one)
      #expect(first.entry?.entry.text == "newer" && first.others == 1)
      one.forget("newer")
      let second = try await take(from: one)
      #expect(second.entry?.entry.text == "older" && second.others == 0)
    }
  }

  @Test func `messages of a running program are left to it`() async throws {
    try await inFolder { (path: String) async throws in
      let (one, two) = (program(in: path), program(in: path))
      for key in ["1", "2"] { one.keep(item(key)) { _ in } }
      one.flush()
      #expect(try await takeMessages(from: two) == [])
      one.abandon()
      #expect(try await takeMessages(from: two) == ["1", "2"])
      #expect(try await takeMessages(from: two) == [])
      await ledger.settle()
    }
  }

  @Test func `an item that is forgotten before its first save is never saved`() async throws {
    try await inFolder { (path: String) async throws in
      let store = program(in: path)
      let item = item("1")
      store.keep(item) { _ in }
      store.forget(item.id)
      store.flush()
      store.close()
      #expect(try await takeMessages(from: program(in: path)) == [])
      await ledger.settle()
    }
  }

  @Test func `an arrived id is available to all programs`() async throws {
    try await inFolder { (path: String) async throws in
      let (one, two) = (program(in: path), program(in: path))
      one.noteArrived("7")
      one.flush()
      let arrived: Set<Qwink.ID> = try await callbackValue(of: "the ids") { done in two.arrived { done($0) } }
      #expect(arrived == ["7"])
      await ledger.settle()
    }
  }

  @Test func `an arrival is recorded only if its entry is removed`() async throws {
    try await inFolder { (path: String) async throws in
      let (one, two) = (program(in: path), program(in: path))
      one.hold("1")
      try await keep(entry("x", id: "1"), in: one)
      two.remove("1", arrivedAs: "7") { _ in }
      two.flush()
      let before: Set<Qwink.ID> = try await callbackValue(of: "the ids") { done in two.arrived { done($0) } }
      #expect(before == [] && (try? texts(in: path)) == ["x"])
      one.remove("1", arrivedAs: "8") { _ in }
      let after: Set<Qwink.ID> = try await callbackValue(of: "the ids") { done in one.arrived { done($0) } }
      #expect(after == ["8"] && (try? texts(in: path)) == [])
    }
  }

  // MARK: Earlier versions, damage, later versions

  @Test func `a reply that no program holds gets the id of its arrived parent`() async throws {
    try await inFolder { (path: String) async throws in
      let store = program(in: path)
      let items = OutboxItem.thread(
        of: ["one", "two"].map { text in
          var entry = entry(text)
          entry.sent = entry.entry
          return entry
        })
      store.keep(all: items) { _ in }
      store.hold(items[1].id)
      store.release(items[1].id)
      store.remove(items[0].id, arrivedAs: "77") { _ in }
      store.flush()
      let rest = try OutgoingStore.items(in: path)
      #expect(rest.map(\.waitsFor) == [nil] && rest.first?.entry?.sent?.inReplyTo == "77")
      await ledger.settle()
    }
  }

  private func write(_ text: String, to name: String, in path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  @Test func `files of an earlier version are imported once`() async throws {
    try await inFolder { (path: String) async throws in
      let answer = Entry(text: "@erin yes", visibility: .private, inReplyTo: "7", idempotencyKey: "r")
      let draft = Entry(text: "half a thou", idempotencyKey: "k")
      try write(try json(["new": draft, "reply/7": answer]), to: "draft.json", in: path)
      try write(try json([message("1"), message("2")]), to: "messages.json", in: path)
      // They are counted before a program imports them.
      #expect(try Set(OutgoingStore.entries(in: path).map(\.entry)) == [draft, answer])
      #expect(try OutgoingStore.messages(in: path).map(\.id) == ["1", "2"])
      let store = program(in: path)
      #expect(try await take(from: store).entry?.entry == draft)
      #expect(try await take(reply(to: "7"), from: store).entry?.entry == answer)
      store.close()
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["outgoing.sqlite"])
      #expect(try OutgoingStore.entries(in: path).count == 2)
      #expect(try messages(in: path) == ["1 hello @alice hello", "2 hello @alice hello"])
      // A draft that an earlier version writes later is imported too, without duplicating the others.
      try write(try json(["new": draft, "edit/7": answer]), to: "draft.json", in: path)
      let later = program(in: path)
      _ = try await take(from: later)
      later.close()
      #expect(try OutgoingStore.entries(in: path).map(\.purpose).sorted() == ["edit/7", "new", "reply/7"])
    }
  }

  @Test func `the single draft of the first version becomes a new qwink`() async throws {
    try await inFolder { (path: String) async throws in
      let old = #"{"contentWarning":"","idempotencyKey":"k","text":"half a thou","visibility":"public"}"#
      try write(old, to: "draft.json", in: path)
      #expect(try await take(from: program(in: path)).entry?.entry == Entry(text: "half a thou", idempotencyKey: "k"))
    }
  }

  @Test func `a malformed draft of an earlier version is set aside and the other is imported`() async throws {
    try await inFolder { (path: String) async throws in
      let one = try json(["new": Entry(text: "half a thou", idempotencyKey: "k")])
      try write(one.dropLast() + #","reply/7":{"text":3}}"#, to: "draft.json", in: path)
      let store = program(in: path)
      var told: [String] = []
      store.didFindDamage = { told.append($0) }
      #expect(try await take(from: store).entry?.entry.text == "half a thou")
      await ledger.settle()
      #expect(told.count == 1 && told.first?.contains("\(path)/draft.json.damaged-1") == true)
      store.close()
    }
  }

  @Test func `a corrupt file is set aside and reported and a new one is created`() async throws {
    try await inFolder { (path: String) async throws in
      try write(String(repeating: "no database ", count: 100), to: "outgoing.sqlite", in: path)
      let store = program(in: path)
      var told: [String] = []
      store.didFindDamage = { told.append($0) }
      #expect(try await keep(entry("x"), in: store) != .failure(.folderNotWritable(path: path)))
      await ledger.settle()
      #expect(told.first?.contains("\(path)/outgoing.sqlite.damaged-1") == true)
      store.close()
      #expect(try texts(in: path) == ["x"])
    }
  }

  @Test func `a file of a later version is left unchanged and reported`() async throws {
    try await inFolder { (path: String) async throws in
      let store = program(in: path)
      try await keep(entry("x"), in: store)
      store.close()
      var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(path)/outgoing.sqlite"))
      // SQLite stores the user version at byte 60.
      bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
      try bytes.write(to: URL(fileURLWithPath: "\(path)/outgoing.sqlite"))
      let refused = try await keep(entry("y"), in: program(in: path))
      #expect(refused == .failure(.tooNew(path: "\(path)/outgoing.sqlite")))
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(path)/outgoing.sqlite"))[60..<64] == Data([0, 0, 0, 99]))
    }
  }
}
