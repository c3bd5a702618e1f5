/// A request for the resources of some tags. While the request is in use, its resources aren't purged. Deallocating the
/// request ends it.
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
    /// Ended. Its resources can be purged. The request can begin again.
    case ended
  }

  /// The loading priority for visible resources. While an urgent request is loading, all other transfers wait.
  public static let urgent = Double.infinity

  public let tags: Set<ResourceTag>
  /// Whether the user pressed a key to load these resources. Some resources are loaded only then, never automatically.
  public let isByKey: Bool
  /// A name for the user of the resources, such as the title of a screen.
  public let owner: String?
  public internal(set) var state = State.idle
  /// Called when the state or the progress changes.
  public var didChange: (@MainActor (ResourceRequest) -> Void)?

  /// The loading priority, from 0 to 1, or ``urgent``. Can be changed while the request is loading.
  public var loadingPriority: Double {
    didSet { if loadingPriority != oldValue { manager?.priorityDidChange(of: self) } }
  }

  private(set) weak var manager: ResourceManager?
  /// Resources that the request uses or waits for, fixed when it begins.
  var addresses: [String] = []
  var completion: (@MainActor (ResourceError?) -> Void)?

  init(tags: Set<ResourceTag>, manager: ResourceManager, loadingPriority: Double, isByKey: Bool, owner: String? = nil) {
    self.tags = tags
    self.manager = manager
    self.loadingPriority = loadingPriority
    self.isByKey = isByKey
    self.owner = owner
  }

  isolated deinit {
    manager?.forget(ObjectIdentifier(self), addresses: addresses)
  }

  /// Fetches the missing resources, then starts using all of them. Calls `completion` once: with nil when all are in
  /// use, or with the error. Never calls it if the request ends first. Does nothing if the request is loading, paused
  /// or in use.
  public func begin(completion: (@MainActor (ResourceError?) -> Void)? = nil) {
    guard let manager else { return }
    manager.begin(self, completion: completion)
  }

  /// Starts using the resources if all of them are already loaded. Never fetches any. Calls `completion` with true if
  /// the resources are in use, otherwise with false.
  public func conditionallyBegin(completion: @escaping @MainActor (Bool) -> Void) {
    guard let manager else { return completion(false) }
    manager.conditionallyBegin(self, completion: completion)
  }

  /// Stops loading, and allows the resources to be purged. The completion of ``begin(completion:)`` isn't called.
  public func end() {
    manager?.end(self)
  }

  public var progress: ResourceProgress { manager?.progress(of: self) ?? ResourceProgress() }

  /// Returns the bytes of one of the request's resources. Returns nil if the request isn't in use, or if the file is
  /// missing or corrupt.
  public func bytes(of address: String) async -> [UInt8]? {
    guard state == .inUse, addresses.contains(address) else { return nil }
    return await manager?.bytes(of: address)
  }
}
