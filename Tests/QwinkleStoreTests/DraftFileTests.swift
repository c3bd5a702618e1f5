import Foundation
import QwinkleModel
import QwinkleStore
import Testing

@Suite struct DraftFileTests {
  private let entry = Entry(text: "half a thou", idempotencyKey: "k")
  private let reply = EntryPurpose.reply(to: DraftFileTests.qwink("7"))

  private static func qwink(_ id: String) -> Qwink {
    Qwink(
      id: Qwink.ID(id), author: Qwinker(id: "1", userName: "erin"), createdAt: Date(timeIntervalSince1970: 0),
      text: RichText(plain: "Hello"))
  }

  /// Runs `body` in a folder that is gone afterwards.
  private func inFolder(_ body: (_ path: String) throws -> Void) rethrows {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  @Test func `a draft is kept until it is sent`() throws {
    try inFolder { path in
      let drafts = DraftFile(directory: path)
      #expect(drafts.load() == nil)
      try drafts.save(entry)
      #expect(DraftFile(directory: path).load() == entry)
      try drafts.save(nil)
      #expect(drafts.load() == nil)
    }
  }

  @Test func `each purpose has a draft of its own`() throws {
    try inFolder { path in
      let drafts = DraftFile(directory: path)
      let answer = Entry(text: "@erin yes", visibility: .private, inReplyTo: "7", idempotencyKey: "r")
      try drafts.save(entry)
      try drafts.save(answer, for: reply)
      #expect(drafts.load() == entry)
      #expect(drafts.load(reply) == answer)
      #expect(drafts.load(.edit(Self.qwink("7"))) == nil)
      #expect(drafts.keys == ["new", "reply/7"])
      try drafts.save(nil)
      #expect(drafts.load() == nil && drafts.load(reply) == answer)
    }
  }

  @Test func `what was posted is forgotten, whatever it was for`() throws {
    try inFolder { path in
      let drafts = DraftFile(directory: path)
      try drafts.save(entry, for: reply)
      try drafts.save(Entry(text: "other", idempotencyKey: "o"))
      var sent = entry
      sent.text = "with names, half a thou"
      #expect(drafts.key(of: sent) == "reply/7")
      try drafts.forget(sent)
      #expect(drafts.key(of: sent) == nil)
      #expect(drafts.keys == ["new"])
      try drafts.forget(Entry(text: "", idempotencyKey: "o"))
      #expect(!FileManager.default.fileExists(atPath: path + "/draft.json"))
    }
  }

  @Test func `a warning alone is worth keeping, nothing at all is not`() throws {
    try inFolder { path in
      let drafts = DraftFile(directory: path)
      try drafts.save(Entry(text: "", contentWarning: "film", idempotencyKey: "k"))
      #expect(drafts.load()?.contentWarning == "film")
      try drafts.save(Entry(text: "", idempotencyKey: "k"))
      #expect(drafts.keys.isEmpty)
    }
  }

  @Test func `the one draft of an earlier version is a new qwink`() throws {
    try inFolder { path in
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let old = #"{"contentWarning":"","idempotencyKey":"k","text":"half a thou","visibility":"public"}"#
      try Data(old.utf8).write(to: URL(fileURLWithPath: path + "/draft.json"))
      let drafts = DraftFile(directory: path)
      #expect(drafts.load() == entry)
      try drafts.save(entry, for: reply)
      #expect(drafts.keys == ["new", "reply/7"])
    }
  }

  @Test func `a damaged draft costs itself, a damaged file is set aside`() throws {
    try inFolder { path in
      let drafts = DraftFile(directory: path)
      let file = URL(fileURLWithPath: path + "/draft.json")
      try drafts.save(entry)
      let one = try String(contentsOf: file, encoding: .utf8)
      try Data((one.dropLast() + #","reply/7":{"text":3}}"#).utf8).write(to: file)
      #expect(drafts.load() == entry && drafts.load(reply) == nil)
      try Data("{\"new\":{\"te".utf8).write(to: file)
      #expect(drafts.load() == nil)
      try drafts.save(entry, for: reply)
      #expect(drafts.load(reply) == entry)
      #expect(try String(contentsOfFile: file.path + ".damaged-1", encoding: .utf8) == "{\"new\":{\"te")
    }
  }

  @Test func `nobody else can read it, and no half of it is ever there`() throws {
    try inFolder { path in
      let drafts = DraftFile(directory: path)
      try drafts.save(entry)
      func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      }
      #expect(try mode(path + "/draft.json") == 0o600)
      #expect(try mode(path) == 0o700)
      // What a run that was killed in the middle left does no harm.
      try Data("half".utf8).write(to: URL(fileURLWithPath: path + "/draft.json.new"))
      try drafts.save(entry, for: reply)
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["draft.json"])
      #expect(try mode(path + "/draft.json") == 0o600)
    }
  }

  @Test func `two programs that write at once keep each other's drafts`() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    await withTaskGroup { group in
      for number in 0..<24 {
        group.addTask { @concurrent in
          let entry = Entry(text: "\(number)", idempotencyKey: "\(number)")
          try? DraftFile(directory: path).save(entry, for: .reply(to: Self.qwink("\(number)")))
        }
      }
    }
    #expect(DraftFile(directory: path).keys.count == 24)
  }

  @Test func `a draft that cannot be kept is said`() {
    #expect(throws: StoreError.self) { try DraftFile(directory: "/dev/null/x").save(entry) }
  }
}
