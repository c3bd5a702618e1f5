import Foundation
public import QwinkleModel

/// The entries that were being written and not sent, each under its purpose, in one file. It is written on every pause in typing,
/// so that nothing typed is lost however the program ends, and whole or not at all.
public struct DraftFile: Sendable {
  private static let name = "draft.json"

  private let folder: PrivateFolder
  private var path: String { folder.path(of: Self.name) }

  /// The drafts in `directory`, which is made when there is something to keep.
  public init(directory: String) {
    folder = PrivateFolder(path: directory)
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
    if entry == nil, !FileManager.default.fileExists(atPath: path) { return }
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
    FileManager.default.contents(atPath: path).flatMap(Self.decoded) ?? [:]
  }

  /// Nil for what is no file of drafts.
  private static func decoded(_ data: Data) -> [String: Entry]? {
    // Once it held one draft, without a key.
    if let entry = try? JSONDecoder().decode(Entry.self, from: data) { return [EntryPurpose.new.key: entry] }
    return (try? JSONDecoder().decode([String: Lossy].self, from: data))?.compactMapValues(\.entry)
  }

  /// Two programs may write to the same account.
  private func change(_ change: (inout [String: Entry]) -> Void) throws(StoreError) {
    do {
      let open = try folder.lock()
      defer { open.close() }
      let known = try known()
      var drafts = known
      change(&drafts)
      guard drafts != known else { return }
      if drafts.isEmpty { return try open.remove(Self.name) }
      try open.replace(Self.name, with: JSONEncoder().encode(drafts))
    } catch {
      throw .folderNotWritable(path: folder.path)
    }
  }

  private func known() throws -> [String: Entry] {
    guard FileManager.default.fileExists(atPath: path) else { return [:] }
    guard let data = FileManager.default.contents(atPath: path) else { throw CocoaError(.fileReadNoPermission) }
    if let drafts = Self.decoded(data) { return drafts }
    // Somebody may yet read what this program cannot.
    rename(path, path + ".damaged")
    return [:]
  }
}
