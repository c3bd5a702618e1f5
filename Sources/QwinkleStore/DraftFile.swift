import Foundation
public import QwinkleModel

/// The entries that were being written and not sent, each under its purpose, in one file. It is written on every pause in typing,
/// so that nothing typed is lost however the program ends, and whole or not at all.
public struct DraftFile: Sendable {
  private let file: KeptFile

  /// The drafts in `directory`, which is made when there is something to keep.
  public init(directory: String) {
    file = KeptFile(directory: directory, name: "draft.json")
  }

  /// What was kept for `purpose`; nil where nothing was, or it cannot be read.
  public func load(_ purpose: EntryPurpose = .new) -> Entry? {
    drafts()[purpose.key]
  }

  /// The purposes, by their keys, for which something is kept.
  public var keys: Set<String> { Set(drafts().keys) }

  /// The key of the purpose for which an entry is kept; nil: it is not.
  public func key(of entry: Entry) -> String? {
    drafts().first { $0.value.idempotencyKey == entry.idempotencyKey }?.key
  }

  /// Keeps `entry`, or forgets what was kept for `purpose` where it is nil or nothing was typed. Other drafts stay.
  ///
  /// - Throws: ``StoreError/folderNotWritable(path:)``. What was kept before is still there.
  public func save(_ entry: Entry?, for purpose: EntryPurpose = .new) throws(StoreError) {
    let entry = entry.flatMap { $0.text.isEmpty && $0.contentWarning.isEmpty ? nil : $0 }
    if entry == nil, !file.exists { return }
    try change { $0[purpose.key] = entry }
  }

  /// Forgets the draft of an entry that was posted, whatever it was for.
  ///
  /// - Throws: ``StoreError/folderNotWritable(path:)``.
  public func forget(_ posted: Entry) throws(StoreError) {
    guard drafts().values.contains(where: { $0.idempotencyKey == posted.idempotencyKey }) else { return }
    try change { drafts in drafts = drafts.filter { $0.value.idempotencyKey != posted.idempotencyKey } }
  }

  // MARK: The file

  /// A draft that cannot be read costs itself.
  private struct Lossy: Decodable {
    let entry: Entry?

    init(from decoder: any Decoder) throws {
      entry = try? Entry(from: decoder)
    }
  }

  private func drafts() -> [String: Entry] {
    file.contents.flatMap(Self.decoded) ?? [:]
  }

  /// Nil for what is no file of drafts.
  private static func decoded(_ data: Data) -> [String: Entry]? {
    // Once it held one draft, without a key.
    if let entry = try? JSONDecoder().decode(Entry.self, from: data) { return [EntryPurpose.new.key: entry] }
    return (try? JSONDecoder().decode([String: Lossy].self, from: data))?.compactMapValues(\.entry)
  }

  private func change(_ change: (inout [String: Entry]) -> Void) throws(StoreError) {
    try file.whileLocked { file in
      let known = try Self.known(in: file)
      var drafts = known
      change(&drafts)
      guard drafts != known else { return }
      if drafts.isEmpty { return try file.remove() }
      try file.write(JSONEncoder().encode(drafts))
    }
  }

  private static func known(in file: KeptFile.Held) throws -> [String: Entry] {
    guard let data = try file.read() else { return [:] }
    if let drafts = decoded(data) { return drafts }
    try file.setAside()
    return [:]
  }
}
