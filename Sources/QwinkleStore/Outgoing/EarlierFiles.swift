import Foundation
import QwinkleModel

/// The files in which earlier versions saved drafts and messages: `draft.json` and `messages.json`.
struct EarlierFiles {
  private static let names = ["draft.json", "messages.json"]

  let folder: PrivateFolder

  /// Whether any of the files exists.
  var exist: Bool { Self.names.contains { FileManager.default.fileExists(atPath: folder.path(of: $0)) } }

  /// Returns a file's rows, or nil if the file doesn't exist. `isDamaged` is true if part of the file can't be decoded.
  private func rows(of name: String) throws -> (rows: [OutgoingRow], isDamaged: Bool)? {
    let path = folder.path(of: name)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else { throw CocoaError(.fileReadNoPermission) }
    return name == "draft.json" ? Self.drafts(data) : Self.messages(data)
  }

  /// All readable rows. Doesn't remove the files.
  var rows: [OutgoingRow] {
    Self.names.flatMap { name in (try? rows(of: name))?.rows ?? [] }
  }

  /// Passes all rows to `keep`, which saves them, then removes the files. The folder must be locked. If the program is
  /// killed before the files are removed, the next call passes the same rows with the same ids. Corrupt files are
  /// renamed, not removed. Returns their new paths.
  func take(_ keep: ([OutgoingRow]) throws -> Void) throws -> [String] {
    let found = try Self.names.compactMap { name in try rows(of: name).map { (name: name, content: $0) } }
    guard !found.isEmpty else { return [] }
    try keep(found.flatMap(\.content.rows))
    var aside: [String] = []
    for (name, content) in found {
      if content.isDamaged {
        aside.append(try folder.setAside(name))
      } else {
        try FileManager.default.removeItem(atPath: folder.path(of: name))
      }
    }
    return aside
  }

  /// Decodes an item, or nil if the item is malformed, so that one bad item doesn't make the whole file unreadable.
  private struct Lossy<Item: Decodable>: Decodable {
    let item: Item?

    init(from decoder: any Decoder) throws {
      item = try? Item(from: decoder)
    }
  }

  private static func drafts(_ data: Data) -> (rows: [OutgoingRow], isDamaged: Bool) {
    func row(_ purpose: String, _ entry: Entry) -> OutgoingRow {
      OutgoingRow(OutgoingEntry(id: "\(entry.idempotencyKey)/\(purpose)", purpose: purpose, entry: entry))
    }
    // The oldest format is a single draft without a purpose.
    if let entry = try? JSONDecoder().decode(Entry.self, from: data) {
      return ([row(EntryPurpose.new.key, entry)], false)
    }
    guard let drafts = try? JSONDecoder().decode([String: Lossy<Entry>].self, from: data) else { return ([], true) }
    let rows = drafts.sorted { $0.key < $1.key }.compactMap { purpose, lossy in
      lossy.item.map { row(purpose, $0) }
    }
    return (rows, rows.count < drafts.count)
  }

  private static func messages(_ data: Data) -> (rows: [OutgoingRow], isDamaged: Bool) {
    guard let messages = try? JSONDecoder().decode([Lossy<OutgoingMessage>].self, from: data) else { return ([], true) }
    let rows = messages.compactMap { $0.item.map { OutgoingRow(OutboxItem(earlier: $0)) } }
    return (rows, rows.count < messages.count)
  }
}
