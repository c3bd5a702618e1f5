import FoundationEssentials

/// A field whose text is saved with the draft but isn't part of the entry.
public enum EntryField: String, Sendable {
  /// The publication time as typed. Empty to publish immediately.
  case time
  /// The ``PollForm``, if it has more than the entry's poll, such as a half-typed duration.
  case poll
  /// The path of a file that isn't attached yet.
  case path
  /// A typed description that isn't saved with its file yet.
  case altText = "alt text"
  /// The id of the file that is being described, or its path before the upload ends.
  case describedFile = "described file"
  /// The files that haven't been uploaded yet.
  case givenFiles = "given files"

  /// Returns the texts saved with `entry`.
  public static func texts(in entry: OutgoingEntry) -> [EntryField: String] {
    var texts: [EntryField: String] = [:]
    for (name, text) in entry.fields ?? [:] {
      if let field = EntryField(rawValue: name) { texts[field] = text }
    }
    return texts
  }

  /// Encodes the texts as ``OutgoingEntry/fields``.
  public static func saved(_ texts: [EntryField: String]) -> [String: String]? {
    texts.isEmpty ? nil : Dictionary(uniqueKeysWithValues: texts.map { ($0.key.rawValue, $0.value) })
  }
}

/// A file to attach that hasn't been uploaded yet.
public struct GivenFile: Hashable, Sendable, Codable {
  /// An absolute path.
  public var path: String
  public var altText: String
  /// Position among all files of the entry. If nil, the file comes after the others. Always nil in entries saved by
  /// earlier versions.
  public var index: Int?

  public init(path: String, altText: String = "", index: Int? = nil) {
    self.path = path
    self.altText = altText
    self.index = index
  }

  /// Decodes the text of ``EntryField/givenFiles``.
  public static func files(in text: String) -> [GivenFile] {
    (try? JSONDecoder().decode([GivenFile].self, from: Data(text.utf8))) ?? []
  }

  /// Encodes the text of ``EntryField/givenFiles``.
  public static func text(of files: [GivenFile]) -> String {
    guard !files.isEmpty, let data = try? JSONEncoder().encode(files) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}

extension OutgoingEntry {
  /// The files that haven't been uploaded yet.
  public var givenFiles: [GivenFile] {
    if let text = fields?[EntryField.givenFiles.rawValue] { return GivenFile.files(in: text) }
    // An entry created by a command has no such field. The command uploads all its files before it adds the
    // attachments' ids, so there are files left to upload only while there are no ids.
    return entry.attachmentIDs.isEmpty ? given?.files ?? [] : []
  }

  /// Number of files, including files that haven't been uploaded yet.
  public var fileCount: Int { entry.attachmentIDs.count + givenFiles.count }
}
