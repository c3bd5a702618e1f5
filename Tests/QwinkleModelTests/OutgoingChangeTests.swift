import Foundation
import QwinkleModel
import Testing

/// Changes in the outbox file.
@Suite struct OutgoingChangeTests {
  @Test(arguments: [
    ("boost", OutgoingChange.What.reaction(.boost)), ("favourite", .reaction(.favourite)),
    ("bookmark", .reaction(.bookmark)), ("follow", .follow), ("delete", .delete),
  ])
  func `a change stored by an earlier version is read and stored in the same form`(
    word: String, what: OutgoingChange.What
  ) throws {
    let stored = #"{"isOn":true,"target":"7","title":"Hi","wasOn":false,"what":"\#(word)"}"#
    let change = try JSONDecoder().decode(OutgoingChange.self, from: Data(stored.utf8))
    #expect(change == OutgoingChange(what, of: "7", title: "Hi"))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try String(decoding: encoder.encode(change), as: UTF8.self) == stored)
  }
}
