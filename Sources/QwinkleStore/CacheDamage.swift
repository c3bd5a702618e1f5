import Synchronization

/// Reports corruption of the cache that is detected during use.
final class CacheDamage: Sendable {
  private struct State {
    var isNoted = false
    var isIndexNoted = false
    var tell: (@MainActor @Sendable (String) -> Void)?
  }

  /// Nil for a cache in memory.
  private let directory: String?
  private let state = Mutex(State())

  init(directory: String?) {
    self.directory = directory
  }

  /// Sets the handler that receives a message for the user when the cache or its search index is found to be corrupt.
  func onDamage(_ tell: @escaping @MainActor @Sendable (String) -> Void) {
    state.withLock { $0.tell = tell }
  }

  /// Reports corruption to the user: at most once for the cache, and at most once for its search index. Ignores errors
  /// with other causes. Marks the file for a check at the next launch. If `rebuildsIndex` is true, accepts any error
  /// and marks nothing, because only the search index was corrupt and it is being rebuilt.
  func note(_ error: any Error, rebuildsIndex: Bool = false) {
    guard rebuildsIndex || CacheDatabase.isDamage(error) else { return }
    let tell = state.withLock { state in
      defer { if rebuildsIndex { state.isIndexNoted = true } else { state.isNoted = true } }
      return state.isNoted || rebuildsIndex && state.isIndexNoted ? nil : state.tell
    }
    if !rebuildsIndex, let directory { CacheDatabase.markDamaged(in: directory) }
    guard let tell else { return }
    let sentence =
      rebuildsIndex
      ? "The index for searching offline was damaged and is being rebuilt; nothing else is lost."
      : "The cache is damaged, so little can be read offline. The next start repairs it; drafts are not affected."
    Task { @MainActor in tell(sentence) }
  }
}
