/// Fetches resources in advance, a few tags at a time, at a low priority. A tag that fails doesn't stop the others.
/// Deallocating the object stops the fetch.
@MainActor
public final class ResourcePrefetch {
  /// Progress of a fetch. Tags whose resources were cached before it don't count.
  public struct Progress: Hashable, Sendable {
    /// Number of tags to fetch, without tags that failed.
    public var count = 0
    /// Number of tags whose resources have been fetched.
    public var fetchedCount = 0
    /// Bytes received.
    public var byteCount = 0
  }

  public private(set) var progress = Progress()
  /// Called when ``progress`` may have changed.
  public var didChange: (@MainActor () -> Void)?
  /// Called once when all tags have been fetched or have failed. Not called after ``stop()``.
  public var didFinish: (@MainActor () -> Void)?

  private let manager: ResourceManager
  private let mostAtOnce: Int
  private let loadingPriority: Double
  private var waiting: [ResourceTag] = []
  private var requests: [ResourceTag: ResourceRequest] = [:]
  /// The resources that were missing when the fetch began.
  private var missing: [String] = []
  /// Incremented by each start and stop, so that a start that waits for the index ends.
  private var startCount = 0
  private var isStarting = false
  /// Whether ``didFinish`` is still to be called.
  private var isUnfinished = false

  /// - Parameters:
  ///   - mostAtOnce: Maximum number of tags that are fetched at the same time.
  ///   - loadingPriority: From 0 to 1, as for a ``ResourceRequest``.
  public init(_ manager: ResourceManager, mostAtOnce: Int = 1, loadingPriority: Double = 0) {
    self.manager = manager
    self.mostAtOnce = mostAtOnce
    self.loadingPriority = loadingPriority
  }

  /// Stops any previous fetch, then fetches the resources of `tags` in order.
  public func start(_ tags: [ResourceTag]) {
    stop()
    let start = startCount
    isStarting = true
    manager.whenLoaded { [weak self] in
      guard let self, startCount == start else { return }
      isStarting = false
      begin(tags)
    }
  }

  /// Stops fetching. Resources that are already loaded stay on disk.
  public func stop() {
    startCount += 1
    isStarting = false
    isUnfinished = false
    waiting = []
    let stopped = requests.values
    requests = [:]
    for request in stopped { request.end() }
  }

  /// Whether a fetch is in progress.
  public var isActive: Bool { isStarting || !requests.isEmpty }

  private func begin(_ tags: [ResourceTag]) {
    waiting = tags.filter { !manager.missingResources(of: $0).isEmpty }
    missing = waiting.flatMap(manager.missingResources)
    progress = Progress(count: waiting.count)
    isUnfinished = true
    next()
    if isActive { didChange?() }
  }

  private func next() {
    while !waiting.isEmpty, requests.count < mostAtOnce { fetch(waiting.removeFirst()) }
    guard requests.isEmpty, isUnfinished else { return }
    isUnfinished = false
    didFinish?()
  }

  private func fetch(_ tag: ResourceTag) {
    let request = manager.request([tag], loadingPriority: loadingPriority)
    requests[tag] = request
    request.didChange = { [weak self] _ in self?.noteProgress() }
    let start = startCount
    request.begin { [weak self] error in
      guard let self, startCount == start else { return }
      // Without a network, the remaining tags would fail too. On a nearly full disk, each of them would purge other
      // resources, also the ones of the tags before it.
      if error == .noNetwork || manager.hasReportedFullDisk {
        progress.count -= waiting.count
        waiting = []
      }
      if error == nil { progress.fetchedCount += 1 } else { progress.count -= 1 }
      noteProgress()
      // The resources stay on disk, but can be purged.
      requests.removeValue(forKey: tag)?.end()
      next()
    }
  }

  private func noteProgress() {
    progress.byteCount = missing.reduce(0) { $0 + manager.receivedBytes(of: $1) }
    didChange?()
  }
}

extension ResourceManager {
  func missingResources(of tag: ResourceTag) -> [String] {
    resources(of: tag).filter { entries[$0]?.byteCount == nil }
  }

  /// Returns the number of bytes of a resource that are on disk or have been received.
  func receivedBytes(of address: String) -> Int {
    guard let entry = entries[address] else { return 0 }
    return entry.byteCount ?? entry.amount?.received ?? 0
  }
}
