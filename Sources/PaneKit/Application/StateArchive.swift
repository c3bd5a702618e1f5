/// What the screen was like, for the next start: words by controller, under their restoration identifiers.
public typealias StateArchive = [String: [String: String]]

extension ViewController {
  /// The state of this controller and of those below it.
  func archiveState(into archive: inout StateArchive) {
    if let restorationIdentifier, let state = encodeState?(), !state.isEmpty {
      archive[restorationIdentifier] = state
    }
    for child in children { child.archiveState(into: &archive) }
  }

  /// Takes up the state of an earlier run, this controller first.
  func restoreState(from archive: StateArchive) {
    if let restorationIdentifier, let state = archive[restorationIdentifier] { restoreState?(state) }
    for child in children { child.restoreState(from: archive) }
  }
}
