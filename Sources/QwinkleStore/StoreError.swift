/// Why something could not be saved or loaded.
public enum StoreError: Error, Hashable, Sendable {
  /// The folder can't be created or written to.
  case folderNotWritable(path: String)
  /// The file can't be used; `reason` is the system's.
  case unusable(path: String, reason: String)
  /// The cache can't be used; `reason` is SQLite's. Its content can be fetched again.
  case cacheUnusable(path: String, reason: String)
  /// The file doesn't have the expected content and must not be overwritten: that content may be of use.
  case damaged(path: String, reason: String)
  /// Another program kept the file for too long.
  case busy(path: String)
  /// A newer version of the program wrote it.
  case tooNew(path: String)
  /// Others can access it, or could have, so no secret is read from it. `remedy` says how to fix that.
  case notPrivate(path: String, reason: String, remedy: String)

  /// What failed and what to do.
  public var sentence: String {
    switch self {
    case .folderNotWritable(let path):
      "Cannot write to \(path). Check its owner, its permissions and the free disk space."
    case .unusable(let path, let reason):
      "Cannot use \(path): \(reason). Check its owner and permissions."
    case .cacheUnusable(let path, let reason):
      "Cannot use \(path): \(reason). Move it away and restart; Qwinkle creates a new one."
    case .damaged(let path, let reason):
      "Cannot read \(path): \(reason). Fix it, or move it away and restart."
    case .busy(let path):
      "\(path) is locked by another program. Try again."
    case .tooNew(let path):
      "\(path) is from a newer Qwinkle. Upgrade, or move the file away and restart."
    case .notPrivate(let path, let reason, let remedy):
      "Refusing to use \(path): \(reason). \(remedy)"
    }
  }
}
