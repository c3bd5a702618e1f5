/// Why a snapshot could not be compared or kept.
public enum SnapshotStoreError: Error, Hashable, Sendable {
  /// Not a valid name.
  case badName(String)
  case unreadable(path: String)
  case unwritable(path: String)
  /// The file is not a valid snapshot.
  case damaged(path: String, SnapshotFormatError)

  /// What failed and what to do.
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
