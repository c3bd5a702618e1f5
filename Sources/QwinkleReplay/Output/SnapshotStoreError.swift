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
      "“\(name)” cannot name a snapshot. Use up to 100 letters, digits, - and _."
    case .unreadable(let path):
      "\(path) cannot be read. Check who owns it."
    case .unwritable(let path):
      "\(path) cannot be written. Check who owns its folder and that the disk has room."
    case .damaged(let path, let error):
      "\(path) is no snapshot. \(error.sentence) Record it anew with --update."
    }
  }
}
