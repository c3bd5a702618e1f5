/// What a controller keeps for the next start.
public typealias RestorableState = [String: String]

/// What all controllers keep, by the paths of their restoration identifiers: `main/search`.
public typealias StateArchive = [String: RestorableState]

extension ViewController {
  /// Adds the state of this controller and of those below it, on screen or not.
  func archive(into archive: inout StateArchive, below path: String? = nil) {
    let path = restorationPath(below: path)
    if let path, restorationIdentifier != nil {
      var state: RestorableState = [:]
      encodeRestorableState(with: &state)
      if !state.isEmpty { archive[path] = state }
    }
    for child in restorationChildren { child.archive(into: &archive, below: path) }
  }

  /// Restores this controller first, then those below it, which it may have made only then.
  func restore(from archive: StateArchive, below path: String? = nil) {
    let path = restorationPath(below: path)
    if let path, restorationIdentifier != nil, let state = archive[path] { decodeRestorableState(with: state) }
    for child in restorationChildren { child.restore(from: archive, below: path) }
  }

  private func restorationPath(below path: String?) -> String? {
    guard let restorationIdentifier else { return path }
    return path.map { "\($0)/\(restorationIdentifier)" } ?? restorationIdentifier
  }
}
