/// The state that a controller keeps for the next start.
public typealias RestorableState = [String: String]

/// The state of controllers, by the paths of their restoration identifiers: `main/search`.
public typealias StateArchive = [String: RestorableState]

extension ViewController {
  /// The state of this controller and its restoration children, on screen or not.
  func archive() -> StateArchive {
    var archive = keptState
    // The first of two with the same path wins.
    for child in restorationChildren { archive.merge(child.archive()) { first, _ in first } }
    guard let restorationIdentifier else { return archive }
    var state = restorationContext
    encodeRestorableState(with: &state)
    archive[""] = state.isEmpty ? nil : state
    return archive.moved(below: restorationIdentifier)
  }

  /// Restores this controller, then its children, which it may make by restoring. Returns the state of others.
  @discardableResult
  func restore(from archive: StateArchive) -> StateArchive {
    defer { didRestoreChildren() }
    guard let restorationIdentifier else { return restoreChildren(from: archive) }
    var (own, others) = archive.parted(at: restorationIdentifier)
    if let state = own.removeValue(forKey: "") { decodeRestorableState(with: state) }
    let rest = restoreChildren(from: own)
    if makesChildrenLater { keptState = rest }
    return others
  }

  private func restoreChildren(from archive: StateArchive) -> StateArchive {
    restorationChildren.reduce(archive) { $1.restore(from: $0) }
  }

  /// Restores a child that was made after the start.
  public func restoreChild(_ child: ViewController) {
    keptState = child.restore(from: keptState)
  }
}

extension StateArchive {
  fileprivate func moved(below identifier: String) -> StateArchive {
    StateArchive(uniqueKeysWithValues: map { ($0.isEmpty ? identifier : "\(identifier)/\($0)", $1) })
  }

  /// The state at `identifier` and below, with relative paths, and the rest.
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
