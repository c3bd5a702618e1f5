import Foundation

/// A text in a private file for an editor. The file has a private folder, because editors write copies and locks next
/// to the file.
struct EditedFile {
  /// Size limit of the edited text. Far more than any qwink needs.
  private static let maximumBytes = 1 << 20

  let path: String
  let directory: String
  private let original: String

  /// Writes `text` to a new file below `folder`. Creates `folder` if necessary.
  ///
  /// - Throws: ``AppError``.
  init(_ text: String, in folder: String) throws(AppError) {
    original = text
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .failed("Cannot start the editor: cannot create \(folder).")
    }
    var template = Array("\(folder)/writing-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .failed("Cannot start the editor: cannot write to \(folder).")
    }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = "\(directory)/post.txt"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: descriptor >= 0)
    guard descriptor >= 0, (try? handle.write(contentsOf: Data(text.utf8))) != nil, (try? handle.close()) != nil else {
      remove()
      throw .failed("Cannot start the editor: cannot write to \(folder). Check the free disk space.")
    }
  }

  /// The current text, without the trailing line break that most editors add. A final `\n` remains if the original text
  /// ended with one.
  ///
  /// - Throws: ``AppError``.
  func text() throws(AppError) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .failed("The editor deleted the file.")
    }
    guard data.count <= Self.maximumBytes else {
      throw .failed("The text from the editor is too long for a post.")
    }
    guard var text = UTF8Text.decoded(data) else { throw .failed("The text from the editor is not UTF-8.") }
    if text.hasSuffix("\r\n") || (text.hasSuffix("\n") && !original.hasSuffix("\n")) { text.removeLast() }
    return text
  }

  /// Whether the editor left anything new: changed text, or other non-empty files, such as backup copies left behind
  /// when the editor was killed.
  var isWorthKeeping: Bool {
    let files = FileManager.default
    if let data = files.contents(atPath: path), data != Data(original.utf8) { return true }
    let names = (try? files.contentsOfDirectory(atPath: directory)) ?? []
    return names.contains { name in
      let facts = try? files.attributesOfItem(atPath: "\(directory)/\(name)")
      let isFile = facts?[.type] as? FileAttributeType == .typeRegular
      return "\(directory)/\(name)" != path && isFile && (facts?[.size] as? Int ?? 0) > 0
    }
  }

  /// Removes the folder and its content.
  func remove() {
    try? FileManager.default.removeItem(atPath: directory)
  }
}
