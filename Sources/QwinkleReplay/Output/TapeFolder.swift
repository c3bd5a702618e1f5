import Foundation
import LibC

/// The folder of a tape. A tape can write files (`Output`, `Screenshot`) only in its folder and below, because the
/// tape's author may not be trustworthy.
public struct TapeFolder: Sendable {
  private let path: String

  /// The folder of the tape at `path`.
  public init(ofTape path: String) {
    self.path = Self.parent(of: path)
  }

  /// Returns the path of the file that the tape calls `name`, which is absolute or relative to the tape's folder.
  ///
  /// - Throws: ``TapeFolderError`` if the file is outside the folder (because of `..` or a symbolic link), is a
  ///   symbolic link itself, or is not in an existing folder.
  public func place(of name: String) throws(TapeFolderError) -> String {
    let asked = name.hasPrefix("/") ? name : "\(path)/\(name)"
    let last = asked.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    guard !["", ".", ".."].contains(last), let folder = systemRealPath(Self.parent(of: asked)),
      let home = systemRealPath(path)
    else { throw TapeFolderError(name: name, kind: .missing) }
    guard folder == home || folder.hasPrefix(home.hasSuffix("/") ? home : home + "/") else {
      throw TapeFolderError(name: name, kind: .outside)
    }
    let place = folder.hasSuffix("/") ? folder + last : "\(folder)/\(last)"
    guard !Self.isLink(place) else { throw TapeFolderError(name: name, kind: .link) }
    return place
  }

  /// Writes the file that the tape calls `name`. An existing file is replaced rather than modified, because it may have
  /// other hard links.
  public func write(_ text: String, to name: String) throws(TapeFolderError) {
    let place = try place(of: name)
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: place), options: .atomic)
    } catch {
      throw TapeFolderError(name: name, kind: .unwritable(reason: error.localizedDescription))
    }
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func isLink(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
  }
}

/// An error in writing a file that a tape names.
public struct TapeFolderError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The file would be outside the tape's folder.
    case outside
    /// The file is a symbolic link.
    case link
    /// The folder doesn't exist, or `name` is not a file name.
    case missing
    /// Writing failed.
    case unwritable(reason: String)
  }

  /// The name used in the tape.
  public let name: String
  public let kind: Kind

  /// The error message, with advice for the user.
  public var sentence: String {
    switch kind {
    case .outside:
      "\(TapeError.quoted(name)) is not written: a tape writes only below its own folder. "
        + "--cast and --svg write anywhere."
    case .link: "\(TapeError.quoted(name)) is not written: it is a symbolic link. Remove it."
    case .missing: "\(TapeError.quoted(name)) cannot be written: its folder does not exist."
    case .unwritable(let reason): "\(TapeError.quoted(name)) cannot be written: \(TapeError.clean(reason))"
    }
  }
}

extension TapeStep {
  /// The path of the file that an `Output` or `Screenshot` step writes. Nil for other steps, including `Write`, which
  /// writes to the configuration folder.
  public var writtenPath: String? {
    switch self {
    case .output(let path), .screenshot(let path): path
    default: nil
    }
  }
}
