/// Asks for the resources of some tags, and holds them while it is in use. Going away ends it.
@MainActor
public final class ResourceRequest {
  /// Where a request stands.
  public enum State: Hashable, Sendable {
    /// It was made, and nothing was asked for.
    case idle
    /// What is missing is on its way.
    case loading
    /// Loading waits until it is resumed; what has arrived is kept.
    case paused
    /// All is here and stays until it ends.
    case inUse
    /// It failed, and holds nothing. It can begin again.
    case failed(ResourceError)
    /// It holds nothing any more.
    case ended
  }

  /// Higher than any loading priority: looked at now. The transfers of others wait.
  public static let urgent = Double.infinity

  public let tags: Set<ResourceTag>
  /// Whether a user asked for just this by a key: then less is refused.
  public let isByKey: Bool
  public internal(set) var state = State.idle
  /// Called when the state or the progress changes.
  public var didChange: (@MainActor (ResourceRequest) -> Void)?

  /// From 0 to 1, or ``urgent``; it may change while loading.
  public var loadingPriority: Double {
    didSet { if loadingPriority != oldValue { manager?.priorityDidChange(of: self) } }
  }

  private(set) weak var manager: ResourceManager?
  /// The resources that it has been promised or holds, fixed when it begins.
  var addresses: [String] = []
  var completion: (@MainActor (ResourceError?) -> Void)?

  init(tags: Set<ResourceTag>, manager: ResourceManager, loadingPriority: Double, isByKey: Bool) {
    self.tags = tags
    self.manager = manager
    self.loadingPriority = loadingPriority
    self.isByKey = isByKey
  }

  isolated deinit {
    manager?.forget(ObjectIdentifier(self), addresses: addresses)
  }

  /// Fetches what is missing, then holds all of it. `completion` is called once, with nil if all is here.
  public func begin(completion: (@MainActor (ResourceError?) -> Void)? = nil) {
    guard let manager else { return }
    manager.begin(self, completion: completion)
  }

  /// Holds the resources if all of them are here; otherwise fetches nothing. `completion` is told which.
  public func conditionallyBegin(completion: @escaping @MainActor (Bool) -> Void) {
    guard let manager else { return completion(false) }
    manager.conditionallyBegin(self, completion: completion)
  }

  /// Lets go of everything, and stops loading.
  public func end() {
    manager?.end(self)
  }

  /// Stops loading; `begin` was in vain.
  public func cancel() {
    manager?.cancel(self)
  }

  /// Has loading wait. What has arrived is kept.
  public func pause() {
    manager?.pause(self)
  }

  /// Goes on after ``pause()``, where the server can do that; elsewhere from the beginning, which the progress says.
  public func resume() {
    manager?.resume(self)
  }

  public var progress: ResourceProgress { manager?.progress(of: self) ?? ResourceProgress() }

  /// Content of one of its resources; nil if it is not in use, or its file was changed.
  public func bytes(of address: String) async -> [UInt8]? {
    guard state == .inUse, addresses.contains(address) else { return nil }
    return await manager?.bytes(of: address)
  }
}
