/// Why something could not be kept or found again.
public enum StoreError: Error, Hashable, Sendable {
  /// The folder cannot be made or written in.
  case folderNotWritable(path: String)
  /// The file cannot be used; `reason` is what SQLite or the system says.
  case unusable(path: String, reason: String)

  /// What failed and what to do.
  public var sentence: String {
    switch self {
    case .folderNotWritable(let path):
      "Nothing can be kept in \(path): it cannot be written. Check who owns it and that its disk has room."
    case .unusable(let path, let reason):
      "\(path) cannot be used (\(reason)). Move it away and start again; it will be made anew."
    }
  }
}
