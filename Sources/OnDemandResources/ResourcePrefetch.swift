/// Fetches resources before they are asked for, one tag after another, at the lowest priority. Going away stops it.
@MainActor
public final class ResourcePrefetch {
  private let manager: ResourceManager
  private var waiting: [ResourceTag] = []
  private var request: ResourceRequest?

  public init(_ manager: ResourceManager) {
    self.manager = manager
  }

  /// Fetches the resources of these tags in their order, in place of those it was told before.
  public func start(_ tags: [ResourceTag]) {
    stop()
    waiting = tags
    next()
  }

  /// Fetches nothing more, and ends what is under way. What has arrived stays.
  public func stop() {
    waiting = []
    request?.end()
    request = nil
  }

  /// Whether something is under way.
  public var isActive: Bool { request != nil }

  private func next() {
    request = nil
    guard !waiting.isEmpty else { return }
    let request = manager.request([waiting.removeFirst()], loadingPriority: 0)
    self.request = request
    request.begin { [weak self] error in
      // Without a network the others fail, too.
      if error == .noNetwork { self?.waiting = [] }
      self?.request?.end()
      self?.next()
    }
  }
}
