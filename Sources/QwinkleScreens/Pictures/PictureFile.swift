import FoundationEssentials
import LibC
import QwinkleAccount
import SafeText

/// The file that a picture is saved to.
struct PictureFile: Hashable, Sendable {
  /// The path, with `~` expanded.
  let path: String
  private let home: String?

  /// Chooses the file for a typed path, in which `~` means `home`. If the path is a folder, appends `name`.
  init(typed: String, named name: String, home: String?) {
    self.home = home
    let path = AttachedFile.expanded(typed, home: home)
    guard path.hasSuffix("/") || Self.kind(of: path) == S_IFDIR else {
      self.path = path
      return
    }
    self.path = path + (path.hasSuffix("/") ? "" : "/") + name
  }

  /// The file's name, for display.
  var name: String { SafeText.line(URL(filePath: path).lastPathComponent) }

  /// The file's path, for display.
  var words: String {
    guard let home, !home.isEmpty, path.hasPrefix("\(home)/") else { return SafeText.line(path) }
    return SafeText.line("~" + path.dropFirst(home.count))
  }

  /// Writes the whole file or nothing. If `isToBeReplaced` is true, replaces an existing file atomically; otherwise, an
  /// existing file is an error.
  @concurrent
  func write(_ bytes: [UInt8], isToBeReplaced: Bool = false) async throws(PictureFileError) {
    switch Self.kind(of: path) {
    case nil: break
    case S_IFREG: guard isToBeReplaced else { throw .exists }
    case S_IFDIR: throw .isFolder(name)
    default: throw .isNoFile(name)
    }
    let target = isToBeReplaced ? "\(path).new-\(getpid())" : path
    let file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw errno == EEXIST ? .exists : .failed(name, systemWords()) }
    let isWritten = systemWrite(bytes, to: file) && fsync(file) == 0
    let reason = systemWords()
    close(file)
    guard isWritten else {
      unlink(target)
      throw .failed(name, reason)
    }
    guard target != path, rename(target, path) != 0 else { return }
    let failure = systemWords()
    unlink(target)
    throw .failed(name, failure)
  }

  /// Returns the file type, or nil if the file doesn't exist or can't be examined.
  private static func kind(of path: String) -> mode_t? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }
}

/// The reason why a picture was not saved.
enum PictureFileError: Error, Hashable, Sendable {
  /// A file with this name exists. The user decides whether to replace it.
  case exists
  case isFolder(String)
  /// A device or a pipe.
  case isNoFile(String)
  case failed(String, String)

  var sentence: String {
    switch self {
    case .exists: "Not saved: the file already exists."
    case .isFolder(let name): "Not saved: \(name) is a folder."
    case .isNoFile(let name): "Not saved: \(name) is a device or a pipe."
    case .failed(let name, let reason): "Not saved: \(name): \(reason)."
    }
  }
}
