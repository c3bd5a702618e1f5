import Synchronization

/// What is known of damage to the cache, met while it is used.
final class CacheDamage: Sendable {
  private struct State {
    var isNoted = false
    var isIndexNoted = false
    var tell: (@MainActor @Sendable (String) -> Void)?
  }

  private let directory: String
  private let state = Mutex(State())

  init(directory: String) {
    self.directory = directory
  }

  /// Calls `tell` with a sentence when damage is met.
  func onDamage(_ tell: @escaping @MainActor @Sendable (String) -> Void) {
    state.withLock { $0.tell = tell }
  }

  /// Tells of an error if it is damage, once. The next start checks the file, unless only the index of words was
  /// damaged and is being rebuilt.
  func note(_ error: any Error, rebuildsIndex: Bool = false) {
    guard rebuildsIndex || CacheDatabase.isDamage(error) else { return }
    let tell = state.withLock { state in
      defer { if rebuildsIndex { state.isIndexNoted = true } else { state.isNoted = true } }
      return state.isNoted || rebuildsIndex && state.isIndexNoted ? nil : state.tell
    }
    if !rebuildsIndex { CacheDatabase.markDamaged(in: directory) }
    guard let tell else { return }
    let sentence =
      rebuildsIndex
      ? "The index for searching offline was damaged and is being rebuilt; nothing else is lost."
      : "The cache is damaged, so little can be read offline. The next start repairs it; drafts are elsewhere."
    Task { @MainActor in tell(sentence) }
  }
}
