/// An error that prevents saving or loading.
public enum StoreError: Error, Hashable, Sendable {
  /// The folder can't be created or written to.
  case folderNotWritable(path: String)
  /// The file can't be used. `reason` is the system's message.
  case unusable(path: String, reason: String)
  /// The cache can't be used. `reason` is SQLite's message. The cached content can be fetched again.
  case cacheUnusable(path: String, reason: String)
  /// The file is corrupt. It must not be overwritten, because its content may still be useful.
  case damaged(path: String, reason: String)
  /// Another program locked the file for too long.
  case busy(path: String)
  /// A newer version of the program wrote the file.
  case tooNew(path: String)
  /// A file with secrets isn't read, because other users can access it or could access it earlier. `remedy` is a
  /// sentence that explains what to do.
  case notPrivate(path: String, reason: String, remedy: String)

  /// A sentence with the problem and its remedy.
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
