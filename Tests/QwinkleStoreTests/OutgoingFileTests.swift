import Foundation
import QwinkleModel
import QwinkleStore
import Testing

@Suite struct OutgoingFileTests {
  private func message(_ key: String, _ text: String = "hello") -> OutgoingMessage {
    OutgoingMessage(
      entry: Entry(text: "@alice \(text)", visibility: .direct, idempotencyKey: key), text: text, conversation: "a",
      writtenAt: Date(timeIntervalSince1970: 60))
  }

  /// Runs `body` in a folder that is gone afterwards.
  private func inFolder(_ body: (_ path: String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("qwinkle-\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private func write(_ text: String, in path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/messages.json"))
  }

  @Test func `a message that cannot be read costs itself`() throws {
    try inFolder { path in
      let file = OutgoingFile(directory: path)
      try file.save([message("1"), message("2")])
      let json = try String(contentsOfFile: path + "/messages.json", encoding: .utf8)
      try write("[{\"what\":1}," + json.dropFirst(), in: path)
      #expect(file.load() == [message("1"), message("2")])
      try file.save([message("1"), message("2"), message("3")], replacing: [message("1"), message("2")])
      #expect(file.load().map(\.id) == ["1", "2", "3"])
    }
  }

  @Test func `a file that cannot be read is set aside, each time under another name`() throws {
    try inFolder { path in
      let file = OutgoingFile(directory: path)
      try write("first", in: path)
      #expect(file.load().isEmpty)
      try file.save([])
      try file.save([message("1")])
      #expect(file.load() == [message("1")])
      try write("second", in: path)
      // What was known is written again.
      try file.save([message("1"), message("2")], replacing: [message("1")])
      #expect(file.load().map(\.id) == ["1", "2"])
      #expect(try String(contentsOfFile: path + "/messages.json.damaged-1", encoding: .utf8) == "first")
      #expect(try String(contentsOfFile: path + "/messages.json.damaged-2", encoding: .utf8) == "second")
    }
  }

  @Test func `what a second program keeps stays, and what it took out stays out`() throws {
    try inFolder { path in
      let one = OutgoingFile(directory: path)
      let two = OutgoingFile(directory: path)
      try one.save([message("1")])
      try two.save([message("1"), message("2")], replacing: [message("1")])
      try one.save([message("1"), message("3")], replacing: [message("1")])
      #expect(one.load().map(\.id) == ["1", "2", "3"])
      try two.save([message("2")], replacing: [message("1"), message("2")])
      try one.save([message("1"), message("3", "anew")], replacing: [message("1"), message("3")])
      #expect(one.load() == [message("2"), message("3", "anew")])
      try one.save([], replacing: [message("1"), message("3")])
      #expect(one.load() == [message("2")])
      try two.save([], replacing: [message("2")])
      #expect(!FileManager.default.fileExists(atPath: path + "/messages.json"))
    }
  }

  @Test func `it is its owner's alone`() throws {
    try inFolder { path in
      try OutgoingFile(directory: path).save([message("1")])
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/messages.json")
      #expect((attributes[.posixPermissions] as? Int) == 0o600)
    }
  }
}
