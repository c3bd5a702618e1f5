import Foundation
public import QwinkleModel

/// A change to a file during its upload.
public enum FileChange: CaseIterable, Sendable {
  case shrinks
  case grows
  case vanishes
  /// Different bytes of the same length in the same file.
  case isRewritten
  /// A different file of the same size under the same name.
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

  /// The error when the changed file is read.
  public var fault: DiskFile.Fault { self == .vanishes ? .missing : .changed }
}

/// A folder of files to upload. It is deleted with this object.
public final class UploadFolder: Sendable {
  public let path = NSTemporaryDirectory() + "qwinkle-uploads-\(UUID().uuidString)"

  public init() {}

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file of `size` bytes whose first line is `mark`, and returns its path.
  @discardableResult
  public func write(_ name: String, mark: String, size: Int = 2000) throws -> String {
    let url = URL(filePath: "\(path)/\(name)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let line = Data("\(mark)\n".utf8)
    try (line + Data(count: max(0, size - line.count))).write(to: url)
    // Some file systems have coarse timestamps. An old timestamp makes every later change detectable.
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: url.path)
    return url.path
  }

  /// Returns the first line of the only file in a multipart form.
  public static func mark(in form: [UInt8]) -> String {
    let start = form.prefix(1000).split(separator: 10, omittingEmptySubsequences: false)
    // The content follows the boundary line, two headers and an empty line.
    return start.count > 4 ? String(decoding: start[4], as: UTF8.self) : ""
  }
}
