/// An error in comparing or storing a snapshot.
public enum SnapshotStoreError: Error, Hashable, Sendable {
  case badName(String)
  case unreadable(path: String)
  case unwritable(path: String)
  /// The file is not a valid snapshot.
  case damaged(path: String, SnapshotFormatError)

  /// The error message, with advice for the user.
  public var sentence: String {
    switch self {
    case .badName(let name):
      "“\(name)” is not a valid snapshot name. Use up to 100 letters, digits, - and _."
    case .unreadable(let path):
      "Cannot read \(path). Check its owner and permissions."
    case .unwritable(let path):
      "Cannot write \(path). Check its folder's permissions and the free disk space."
    case .damaged(let path, let error):
      "\(path) is not a valid snapshot. \(error.sentence) --update records it again."
    }
  }
}
