import FoundationEssentials

/// A field whose text is saved with the draft, but is not part of the entry.
public enum EntryField: String, Sendable {
  /// When the server publishes the entry, as typed; empty: at once.
  case time
  /// The path of a file that is not attached yet.
  case path
  /// A description that its file doesn't have yet.
  case altText = "alt text"
  /// The id of the file that is being described, or its path before the upload ends.
  case describedFile = "described file"
  /// The files that the server doesn't have yet.
  case givenFiles = "given files"

  /// The texts saved with `entry`.
  public static func texts(in entry: OutgoingEntry) -> [EntryField: String] {
    var texts: [EntryField: String] = [:]
    for (name, text) in entry.fields ?? [:] {
      if let field = EntryField(rawValue: name) { texts[field] = text }
    }
    return texts
  }

  /// The texts as ``OutgoingEntry/fields``.
  public static func saved(_ texts: [EntryField: String]) -> [String: String]? {
    texts.isEmpty ? nil : Dictionary(uniqueKeysWithValues: texts.map { ($0.key.rawValue, $0.value) })
  }
}

/// A file to attach that the server doesn't have yet.
public struct GivenFile: Hashable, Sendable, Codable {
  /// An absolute path.
  public var path: String
  public var altText: String
  /// Position among all files of the entry; nil: after them. Nil in entries of earlier versions.
  public var index: Int?

  /// Stores a path and a description.
  public init(path: String, altText: String = "", index: Int? = nil) {
    self.path = path
    self.altText = altText
    self.index = index
  }

  /// The files in the text of ``EntryField/givenFiles``.
  public static func files(in text: String) -> [GivenFile] {
    (try? JSONDecoder().decode([GivenFile].self, from: Data(text.utf8))) ?? []
  }

  /// The text of ``EntryField/givenFiles``.
  public static func text(of files: [GivenFile]) -> String {
    guard !files.isEmpty, let data = try? JSONEncoder().encode(files) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}

extension OutgoingEntry {
  /// The files that the server doesn't have yet.
  public var givenFiles: [GivenFile] {
    if let text = fields?[EntryField.givenFiles.rawValue] { return GivenFile.files(in: text) }
    // A command uploads all its files before it adds their ids.
    return entry.attachmentIDs.isEmpty ? given?.files ?? [] : []
  }

  /// Number of its files, with those that the server doesn't have yet.
  public var fileCount: Int { entry.attachmentIDs.count + givenFiles.count }
}
