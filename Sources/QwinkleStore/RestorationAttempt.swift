#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A mark on the disk while a start restores the last screen. One that nobody holds is of a start that ended in the
/// middle, however it ended.
@MainActor
public final class RestorationAttempt {
  private let path: String
  /// The open mark, locked as long as this program lives.
  private var mark: Int32?

  /// The mark of one account, in `directory`, which must exist when an attempt begins.
  public init(directory: String, account: String) {
    path = PrivateFolder(path: directory).path(of: "screen-\(account).restoring")
  }

  /// Leaves the mark until ``end()``.
  ///
  /// - Returns: false if an earlier attempt ended in the middle.
  public func begin() -> Bool {
    var isNew = true
    var file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if file < 0, errno == EEXIST {
      isNew = false
      file = systemOpen(path, O_WRONLY | O_NOFOLLOW)
    }
    guard file >= 0 else { return true }
    // Another program may be about to show its first frame.
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      systemClose(file)
      return true
    }
    mark = file
    return isNew
  }

  /// Removes the mark.
  public func end() {
    guard let mark else { return }
    unlink(path)
    systemClose(mark)
    self.mark = nil
  }

  deinit {
    // As a kill would leave it.
    if let mark { systemClose(mark) }
  }
}
