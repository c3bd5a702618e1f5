/// State that a controller saves for the next launch.
public typealias RestorableState = [String: String]

/// States of controllers, by path. A path consists of the restoration identifiers of a controller's ancestors and its
/// own, such as `main/search`.
public typealias StateArchive = [String: RestorableState]

extension ViewController {
  /// Returns the states of this controller and its restoration children, whether they are visible or not. Includes the
  /// restored states of children that haven't been created yet.
  func archive() -> StateArchive {
    var archive = restoredState
    // If two children have the same path, the first one wins.
    for child in restorationChildren { archive.merge(child.archive()) { first, _ in first } }
    guard let restorationIdentifier else { return archive }
    var state = restorationContext
    encodeRestorableState(with: &state)
    archive[""] = state.isEmpty ? nil : state
    return archive.moved(below: restorationIdentifier)
  }

  /// Restores this controller, then its children. Restoring the controller may create the children. Returns the states
  /// that belong to other controllers.
  @discardableResult
  func restore(from archive: StateArchive) -> StateArchive {
    defer { didRestoreChildren() }
    guard let restorationIdentifier else { return restoreChildren(from: archive) }
    var (own, others) = archive.parted(at: restorationIdentifier)
    if let state = own.removeValue(forKey: "") { decodeRestorableState(with: state) }
    let rest = restoreChildren(from: own)
    if makesChildrenLater { restoredState = rest }
    return others
  }

  private func restoreChildren(from archive: StateArchive) -> StateArchive {
    restorationChildren.reduce(archive) { $1.restore(from: $0) }
  }

  /// Restores a child that was created after this controller had been restored.
  public func restoreChild(_ child: ViewController) {
    restoredState = child.restore(from: restoredState)
  }
}

extension StateArchive {
  fileprivate func moved(below identifier: String) -> StateArchive {
    StateArchive(uniqueKeysWithValues: map { ($0.isEmpty ? identifier : "\(identifier)/\($0)", $1) })
  }

  /// Splits the states into two archives: states at or below `identifier`, with paths relative to `identifier`, and all
  /// other states.
  fileprivate func parted(at identifier: String) -> (below: StateArchive, others: StateArchive) {
    var (below, others) = (StateArchive(), StateArchive())
    for (path, state) in self {
      if path == identifier {
        below[""] = state
      } else if path.hasPrefix(identifier + "/") {
        below[String(path.dropFirst(identifier.count + 1))] = state
      } else {
        others[path] = state
      }
    }
    return (below, others)
  }
}
