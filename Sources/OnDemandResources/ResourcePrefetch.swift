/// Fetches resources in advance, one tag at a time, at the lowest priority. Deallocating the object stops the fetch.
@MainActor
public final class ResourcePrefetch {
  private let manager: ResourceManager
  private var waiting: [ResourceTag] = []
  private var request: ResourceRequest?

  public init(_ manager: ResourceManager) {
    self.manager = manager
  }

  /// Stops any previous fetch, then fetches the resources of `tags` in order.
  public func start(_ tags: [ResourceTag]) {
    stop()
    waiting = tags
    next()
  }

  /// Stops fetching. Resources that are already loaded stay on disk.
  public func stop() {
    waiting = []
    request?.end()
    request = nil
  }

  /// Whether a fetch is in progress.
  public var isActive: Bool { request != nil }

  private func next() {
    request = nil
    guard !waiting.isEmpty else { return }
    let request = manager.request([waiting.removeFirst()], loadingPriority: 0)
    self.request = request
    request.begin { [weak self] error in
      // Without a network, the remaining tags would fail too.
      if error == .noNetwork { self?.waiting = [] }
      self?.request?.end()
      self?.next()
    }
  }
}
