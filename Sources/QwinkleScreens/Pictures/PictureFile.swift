import FoundationEssentials
import QwinkleAccount
import SafeText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that a picture is saved as.
struct PictureFile: Hashable, Sendable {
  /// Its path, with what `~` stands for.
  let path: String
  private let home: String?

  /// What was typed; `~` is `home`. A folder gets a file with this name.
  init(typed: String, named name: String, home: String?) {
    self.home = home
    let path = AttachedFile.expanded(typed, home: home)
    guard path.hasSuffix("/") || Self.kind(of: path) == S_IFDIR else {
      self.path = path
      return
    }
    self.path = path + (path.hasSuffix("/") ? "" : "/") + name
  }

  /// Its name, for people.
  var name: String { SafeText.line(URL(filePath: path).lastPathComponent) }

  /// Its path, for people.
  var words: String {
    guard let home, !home.isEmpty, path.hasPrefix("\(home)/") else { return SafeText.line(path) }
    return SafeText.line("~" + path.dropFirst(home.count))
  }

  /// Writes it, completely or not at all. One that is there already is replaced only if `isToBeReplaced`, by one step.
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
    guard file >= 0 else { throw errno == EEXIST ? .exists : .failed(name, Self.reason) }
    let isWritten = Self.write(bytes, to: file) && fsync(file) == 0
    let reason = Self.reason
    close(file)
    guard isWritten else {
      unlink(target)
      throw .failed(name, reason)
    }
    guard target != path, rename(target, path) != 0 else { return }
    let failure = Self.reason
    unlink(target)
    throw .failed(name, failure)
  }

  /// nil if there is nothing.
  private static func kind(of path: String) -> mode_t? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map { systemWrite(file, $0 + done, bytes.count - done) } ?? 0
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  private static var reason: String { String(cString: strerror(errno)) }
}

/// `write`, under a name that no method hides.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int { write(file, bytes, count) }

/// Why a picture was not saved.
enum PictureFileError: Error, Hashable, Sendable {
  /// There is a file with this name: the reader has to say whether it is replaced.
  case exists
  case isFolder(String)
  /// A device or a pipe.
  case isNoFile(String)
  case failed(String, String)

  var sentence: String {
    switch self {
    case .exists: "Not saved: there is such a file already."
    case .isFolder(let name): "Not saved: \(name) is a folder."
    case .isNoFile(let name): "Not saved: \(name) is a device or a pipe."
    case .failed(let name, let reason): "Not saved: \(name): \(reason)."
    }
  }
}
