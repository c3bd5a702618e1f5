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
      "Nothing can be kept in \(path): it cannot be written. Check who owns it and that its disk has room."
    case .unusable(let path, let reason):
      "\(path) cannot be used: \(reason). Check that it is yours to read and write."
    case .cacheUnusable(let path, let reason):
      "\(path) cannot be used (\(reason)). Move it away and start again; it will be made anew."
    case .damaged(let path, let reason):
      "\(path) cannot be read: \(reason). Mend it, or move it away and start again."
    case .busy(let path):
      "\(path) is in use by another program that does not let go of it. Try again."
    case .tooNew(let path):
      "\(path) was written by a newer Qwinkle. Use that one, or move the file away and start again."
    case .notPrivate(let path, let reason, let remedy):
      "\(path) is not used, as it must be yours alone: \(reason). \(remedy)"
    }
  }
}
