import Foundation
import SafeText

/// A text in a file of its own, in a folder of its own, that nobody else can read: editors put copies and locks beside
/// a file.
struct EditedFile {
  /// More than any qwink has.
  private static let maximumBytes = 1 << 20

  let path: String
  let directory: String
  private let original: String

  /// Writes `text` to a file below `folder`, which is made where there is none.
  ///
  /// - Throws: ``AppError``.
  init(_ text: String, in folder: String) throws(AppError) {
    original = text
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .failed("The text cannot be given to the editor: \(folder) cannot be made.")
    }
    var template = Array("\(folder)/writing-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .failed("The text cannot be given to the editor: \(folder) cannot be written.")
    }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = "\(directory)/qwink.txt"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: descriptor >= 0)
    guard descriptor >= 0, (try? handle.write(contentsOf: Data(text.utf8))) != nil, (try? handle.close()) != nil else {
      remove()
      throw .failed("The text cannot be given to the editor: \(folder) cannot be written. Has its disk room?")
    }
  }

  /// What the file says now. Most editors end a text with a line break that nobody typed.
  ///
  /// - Throws: ``AppError``.
  func text() throws(AppError) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .failed("The editor left no text.")
    }
    guard data.count <= Self.maximumBytes else {
      throw .failed("The editor left more than a qwink can hold.")
    }
    var text = SafeText.repairing(data)
    if text.hasSuffix("\r\n") || (text.hasSuffix("\n") && !original.hasSuffix("\n")) { text.removeLast() }
    return text
  }

  /// Whether something is there that was not given to the editor: the file with another text, or what stands beside it,
  /// as the copies of an editor that did not end by itself.
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

  /// Removes the file and what stands beside it.
  func remove() {
    try? FileManager.default.removeItem(atPath: directory)
  }
}
