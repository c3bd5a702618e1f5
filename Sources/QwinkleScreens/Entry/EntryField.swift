import FoundationEssentials
import QwinkleModel

/// A field whose text is saved with the draft, but is not part of the entry.
enum EntryField: String {
  /// When the server publishes the entry, as typed; empty: at once.
  case time
  /// The path of a file that is not attached yet.
  case path
  /// A description that its file doesn't have yet.
  case altText = "alt text"
  /// The id of the file that is being described.
  case describedFile = "described file"
  /// The files that the server doesn't have yet.
  case givenFiles = "given files"

  /// The texts saved with `entry`.
  static func texts(in entry: OutgoingEntry) -> [EntryField: String] {
    var texts: [EntryField: String] = [:]
    for (name, text) in entry.fields ?? [:] {
      if let field = EntryField(rawValue: name) { texts[field] = text }
    }
    return texts
  }

  /// The texts as ``OutgoingEntry/fields``.
  static func saved(_ texts: [EntryField: String]) -> [String: String]? {
    texts.isEmpty ? nil : Dictionary(uniqueKeysWithValues: texts.map { ($0.key.rawValue, $0.value) })
  }
}

extension GivenFile {
  /// The files in the text of ``EntryField/givenFiles``.
  static func files(in text: String) -> [GivenFile] {
    (try? JSONDecoder().decode([GivenFile].self, from: Data(text.utf8))) ?? []
  }

  /// The text of ``EntryField/givenFiles``.
  static func text(of files: [GivenFile]) -> String {
    guard !files.isEmpty, let data = try? JSONEncoder().encode(files) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}
