import LibC

/// Detects whether an earlier start failed while it restored the last screen. A marker file exists during the
/// restoration. If the file exists and no program has locked it, the start that created it crashed or was killed.
@MainActor
public final class RestorationAttempt {
  private let path: String
  /// The open and locked marker file. Nil before and after the attempt.
  private var mark: Int32?

  /// Creates an attempt for one account. Its marker is a file in `directory`, which must exist when the attempt begins.
  public init(directory: String, account: String) {
    path = PrivateFolder(path: directory).path(of: "screen-\(account).restoring")
  }

  /// Creates and locks the marker file, which exists until ``end()`` is called. Creates none if the file can't be
  /// opened or another program has locked it.
  ///
  /// - Returns: False if an earlier attempt crashed or was killed.
  public func begin() -> Bool {
    var isNew = true
    var file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if file < 0, errno == EEXIST {
      isNew = false
      file = systemOpen(path, O_WRONLY | O_NOFOLLOW)
    }
    guard file >= 0 else { return true }
    // The file is locked, so another program is restoring its screen right now and hasn't crashed.
    guard systemLock(file) else {
      systemClose(file)
      return true
    }
    mark = file
    return isNew
  }

  /// Removes the marker.
  public func end() {
    guard let mark else { return }
    unlink(path)
    systemClose(mark)
    self.mark = nil
  }

  deinit {
    // Doesn't remove the file, as if the program had been killed.
    if let mark { systemClose(mark) }
  }
}
