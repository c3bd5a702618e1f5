import Foundation
import QwinkleModel
import QwinkleStore
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// The output of commands that list drafts and the outbox.
@Suite(.bounded) struct PlainDraftTests {
  private static let now = Date(timeIntervalSince1970: 1_767_225_600)

  /// Entries with two files each, of which none, some or all are uploaded.
  static let entries: [OutgoingEntry] = {
    func entry(ids: [String], pending: Int) -> OutgoingEntry {
      let files = (0..<pending).map { GivenFile(path: "/\($0).png") }
      return OutgoingEntry(
        purpose: "new", entry: Entry(text: "", attachmentIDs: ids, idempotencyKey: "k"),
        fields: files.isEmpty ? nil : [EntryField.givenFiles.rawValue: GivenFile.text(of: files)])
    }
    let command = GivenEntry(target: .new, text: "", options: ["--attach /1.png", "--attach /2.png", "--alt Boats"])
    return [
      entry(ids: ["1", "2"], pending: 0), entry(ids: ["1"], pending: 1), entry(ids: [], pending: 2),
      OutgoingEntry(command, idempotencyKey: "k"),
    ]
  }()

  @Test(arguments: entries) func `a list counts all files of an entry including pending uploads`(
    entry: OutgoingEntry
  ) {
    let style = PlainStyle(now: Self.now, zone: .gmt)
    let draft = SavedEntry(entry, number: 1, changedAt: Self.now)
    let item = OutboxItem(entry)
    for row in [PlainDraft.row(draft, style), PlainOutbox.row(item, style)] {
      #expect(row.contains("  2 files  "), "\(row)")
    }
    for json in [PlainDraft.json(draft), PlainOutbox.json([item])] {
      let text = String(decoding: json, as: UTF8.self)
      #expect(text.contains(#""file_count":2"#), "\(text)")
    }
  }

  @Test func `files of an earlier version's draft have no position`() {
    let files = GivenFile.files(in: #"[{"path":"/a.png","altText":"Boats"}]"#)
    #expect(files == [GivenFile(path: "/a.png", altText: "Boats")])
  }
}
