/// What a controller keeps for the next start.
public typealias RestorableState = [String: String]

/// What all controllers keep, by their restoration identifiers.
public typealias StateArchive = [String: RestorableState]

extension ViewController {
  /// Adds the state of this controller and of those below it.
  func archive(into archive: inout StateArchive) {
    if let restorationIdentifier {
      var state: RestorableState = [:]
      encodeRestorableState(with: &state)
      if !state.isEmpty { archive[restorationIdentifier] = state }
    }
    for child in children { child.archive(into: &archive) }
  }

  /// Restores this controller first, then those below it.
  func restore(from archive: StateArchive) {
    if let restorationIdentifier, let state = archive[restorationIdentifier] { decodeRestorableState(with: state) }
    for child in children { child.restore(from: archive) }
  }
}
