/// A request for the resources of some tags. Retains the resources while it is in use; deallocating it ends it.
@MainActor
public final class ResourceRequest {
  public enum State: Hashable, Sendable {
    /// Not begun yet.
    case idle
    /// Missing resources are being fetched.
    case loading
    /// Paused. Bytes received so far are saved.
    case paused
    /// All resources are loaded and won't be purged until the request ends.
    case inUse
    /// Failed. Its resources can be purged. The request can begin again.
    case failed(ResourceError)
    /// Ended. Its resources can be purged.
    case ended
  }

  /// Higher than any other loading priority, for visible resources. All other transfers wait.
  public static let urgent = Double.infinity

  public let tags: Set<ResourceTag>
  /// Whether the user pressed a key to load these resources, which permits more than automatic loading.
  public let isByKey: Bool
  public internal(set) var state = State.idle
  /// Called when the state or the progress changes.
  public var didChange: (@MainActor (ResourceRequest) -> Void)?

  /// From 0 to 1, or ``urgent``. Can be changed while loading.
  public var loadingPriority: Double {
    didSet { if loadingPriority != oldValue { manager?.priorityDidChange(of: self) } }
  }

  private(set) weak var manager: ResourceManager?
  /// Resources that the request uses or waits for, fixed when it begins.
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

  /// Fetches the missing resources, then starts using all of them. Calls `completion` once, with nil if all are loaded.
  public func begin(completion: (@MainActor (ResourceError?) -> Void)? = nil) {
    guard let manager else { return }
    manager.begin(self, completion: completion)
  }

  /// Starts using the resources if all are loaded, and fetches nothing. Passes `completion` whether it succeeded.
  public func conditionallyBegin(completion: @escaping @MainActor (Bool) -> Void) {
    guard let manager else { return completion(false) }
    manager.conditionallyBegin(self, completion: completion)
  }

  /// Stops loading, and allows the resources to be purged.
  public func end() {
    manager?.end(self)
  }

  /// Stops loading. The request fails with ``ResourceError/cancelled``.
  public func cancel() {
    manager?.cancel(self)
  }

  /// Pauses loading. Bytes received so far are saved.
  public func pause() {
    manager?.pause(self)
  }

  /// Resumes loading. If the server can't resume a transfer, it restarts, which ``progress`` reports.
  public func resume() {
    manager?.resume(self)
  }

  public var progress: ResourceProgress { manager?.progress(of: self) ?? ResourceProgress() }

  /// Returns the bytes of one of its resources, or nil if the request isn't in use or the file is missing or corrupt.
  public func bytes(of address: String) async -> [UInt8]? {
    guard state == .inUse, addresses.contains(address) else { return nil }
    return await manager?.bytes(of: address)
  }
}
