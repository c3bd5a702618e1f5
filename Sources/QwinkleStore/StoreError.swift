/// Why something could not be kept or found again.
public enum StoreError: Error, Hashable, Sendable {
  /// The folder cannot be made or written in.
  case folderNotWritable(path: String)
  /// The file cannot be used; `reason` is what the system says.
  case unusable(path: String, reason: String)
  /// The cache cannot be used; `reason` is what SQLite says. What was in it can be fetched again.
  case cacheUnusable(path: String, reason: String)
  /// The file cannot be read as what it should be, and must not be written over. What is in it may be of use.
  case damaged(path: String, reason: String)
  /// Another program has had the file for longer than can be waited for.
  case busy(path: String)
  /// A newer version of the program wrote it.
  case tooNew(path: String)
  /// Others can read or change it, or could have: a secret is not taken from there. `remedy` says what mends it.
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
