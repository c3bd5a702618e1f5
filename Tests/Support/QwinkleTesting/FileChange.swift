import Foundation
public import QwinkleModel

/// A change of a file while it is uploaded.
public enum FileChange: CaseIterable, Sendable {
  case shrinks
  case grows
  case vanishes
  /// Other bytes of the same number, in the same file.
  case isRewritten
  /// Another file of the same size gets its name.
  case isReplaced

  /// Changes the file at `path`.
  public func apply(to path: String) throws {
    let url = URL(filePath: path)
    let bytes = try Data(contentsOf: url)
    let others = Data(repeating: 9, count: bytes.count)
    switch self {
    case .shrinks: try bytes.dropLast(bytes.count / 2).write(to: url)
    case .grows: try (bytes + others).write(to: url)
    case .vanishes: try FileManager.default.removeItem(at: url)
    case .isRewritten: try others.write(to: url)
    case .isReplaced:
      let other = URL(filePath: "\(path).other")
      try others.write(to: other)
      try FileManager.default.removeItem(at: url)
      try FileManager.default.moveItem(at: other, to: url)
    }
  }

  /// The error of reading it then.
  public var fault: DiskFile.Fault { self == .vanishes ? .missing : .changed }
}

/// A folder of files to upload; deleted with this object.
public final class UploadFolder: Sendable {
  public let path = NSTemporaryDirectory() + "qwinkle-uploads-\(UUID().uuidString)"

  public init() {}

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file of `size` bytes whose first line is `mark`. Returns its path.
  @discardableResult
  public func write(_ name: String, mark: String, size: Int = 2000) throws -> String {
    let url = URL(filePath: "\(path)/\(name)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let line = Data("\(mark)\n".utf8)
    try (line + Data(count: max(0, size - line.count))).write(to: url)
    // Times of files are coarse on some file systems: each later change gives another one.
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: url.path)
    return url.path
  }

  /// Returns the first line of the only file in a multipart form.
  public static func mark(in form: [UInt8]) -> String {
    let start = form.prefix(1000).split(separator: 10, omittingEmptySubsequences: false)
    // After the line of the boundary, two headers and an empty line.
    return start.count > 4 ? String(decoding: start[4], as: UTF8.self) : ""
  }
}
