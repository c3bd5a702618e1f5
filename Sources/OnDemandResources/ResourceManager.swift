import FoundationEssentials
public import QwinkleModel
public import Timekeeping

/// Hears what happens to resources.
@MainActor
public protocol ResourceObserver: AnyObject {
  /// Something is here, gone, loading or in use that was not.
  func resourcesDidChange(_ manager: ResourceManager)
  /// The disk was full, and everything that may be purged was.
  func resourcesDidFindLowDiskSpace(_ manager: ResourceManager)
}

extension ResourceObserver {
  public func resourcesDidChange(_ manager: ResourceManager) {}
  public func resourcesDidFindLowDiskSpace(_ manager: ResourceManager) {}
}

/// Resources by tag: fetched when asked for, held while in use, kept by priority, purged when room is short.
///
/// Each resource is fetched once, however many requests and tags want it. Nothing is read or opened before the first
/// request begins.
@MainActor
public final class ResourceManager {
  public var limits: ResourceLimits {
    didSet { if limits != oldValue { makeRoom() } }
  }
  /// Whether only what a user asks for by key is fetched.
  public var isMetered = false

  /// How long the resources of a tag are kept for which nothing was said, from 0 to 1.
  public var standardPreservationPriority: @MainActor (ResourceTag) -> Double = { _ in 0.5 }

  let index: any ResourceIndex
  let fetcher: any ResourceFetching
  let clock: any ProgramClock
  let ledger: ActivityLedger

  var entries: [String: ResourceEntry] = [:]
  /// Requests under way: loading, paused, or in use.
  var requests: [ObjectIdentifier: WeakRequest] = [:]
  private var addressesByTag: [ResourceTag: [String]] = [:]
  private var preservation: [ResourceTag: Double] = [:]
  private var observers = ObserverList<any ResourceObserver>()
  private var isLoaded = false
  private var waitingForIndex: [@MainActor () -> Void] = []
  var entryCount = 0

  /// A manager that has nothing yet: what `index` keeps is read when it is first needed.
  public init(
    index: any ResourceIndex, fetcher: any ResourceFetching, clock: any ProgramClock, ledger: ActivityLedger,
    limits: ResourceLimits = ResourceLimits()
  ) {
    self.index = index
    self.fetcher = fetcher
    self.clock = clock
    self.ledger = ledger
    self.limits = limits
  }

  /// Tells an object of changes until it is released.
  public func addObserver<Observer: ResourceObserver>(_ observer: Observer) {
    observers.add(observer) { $0 }
  }

  // MARK: Tags

  /// Says which resources carry a tag. Those that requests have begun with stay as they are.
  public func setResources(_ addresses: [String], for tag: ResourceTag) {
    let former = addressesByTag[tag] ?? []
    guard former != addresses else { return }
    addressesByTag[tag] = addresses
    for address in former where !addresses.contains(address) { entries[address]?.tags.remove(tag) }
    for address in addresses { entry(address).tags.insert(tag) }
  }

  /// The resources of a tag.
  public func resources(of tag: ResourceTag) -> [String] { addressesByTag[tag] ?? [] }

  /// How long the resources of a tag are kept beside those of others, from 0 to 1. Purging begins with the lowest.
  public func setPreservationPriority(_ priority: Double, for tag: ResourceTag) {
    preservation[tag] = min(max(priority, 0), 1)
  }

  public func preservationPriority(of tag: ResourceTag) -> Double {
    preservation[tag] ?? standardPreservationPriority(tag)
  }

  /// All tags that are known.
  public var tags: [ResourceTag] { addressesByTag.keys.sorted { $0.name < $1.name } }

  /// A request that has not begun.
  public func request(
    _ tags: Set<ResourceTag>, loadingPriority: Double = 0.5, isByKey: Bool = false
  ) -> ResourceRequest {
    ResourceRequest(tags: tags, manager: self, loadingPriority: loadingPriority, isByKey: isByKey)
  }

  func entry(_ address: String) -> ResourceEntry {
    if let entry = entries[address] { return entry }
    entryCount += 1
    let entry = ResourceEntry(address: address, number: entryCount)
    entries[address] = entry
    return entry
  }

  func preservation(of entry: ResourceEntry) -> Double {
    entry.tags.map(preservationPriority).max() ?? 0.5
  }

  // MARK: Index

  /// Calls `body` once what is kept is known.
  func whenLoaded(_ body: @escaping @MainActor () -> Void) {
    guard !isLoaded else { return body() }
    waitingForIndex.append(body)
    guard waitingForIndex.count == 1 else { return }
    let activity = ledger.begin("reading the index of resources")
    Task {
      let kept = await index.all()
      take(kept)
      isLoaded = true
      let waiting = waitingForIndex
      waitingForIndex = []
      for body in waiting { body() }
      activity.end()
    }
  }

  private func take(_ kept: [KeptResource]) {
    for resource in kept {
      let entry = entry(resource.address)
      entry.byteCount = resource.byteCount
      entry.usedAt = resource.usedAt
      for name in resource.tags {
        let tag = ResourceTag(name)
        entry.tags.insert(tag)
        if addressesByTag[tag]?.contains(resource.address) != true {
          addressesByTag[tag, default: []].append(resource.address)
        }
      }
    }
  }

  /// Has the index read, for a screen that lists it.
  public func load() {
    whenLoaded { [weak self] in self?.tellChange() }
  }

  func bytes(of address: String) async -> [UInt8]? {
    let bytes = await index.bytes(of: address)
    if bytes == nil { entries[address]?.byteCount = nil }
    return bytes
  }

  // MARK: Telling

  func tellChange() {
    observers.forEach { $0.resourcesDidChange(self) }
  }

  func tellLowDiskSpace() {
    observers.forEach { $0.resourcesDidFindLowDiskSpace(self) }
  }

  // MARK: Sums

  /// Bytes on disk.
  public var bytesOnDisk: Int { entries.values.reduce(0) { $0 + ($1.byteCount ?? 0) } }
  /// Bytes in use.
  public var bytesInUse: Int { entries.values.reduce(0) { $0 + ($1.holders.isEmpty ? 0 : $1.byteCount ?? 0) } }
}

/// A resource.
@MainActor
final class ResourceEntry {
  let address: String
  /// Counts up in the order in which resources became known.
  let number: Int
  var tags: Set<ResourceTag> = []
  /// Its size if it is here.
  var byteCount: Int?
  var usedAt: Date
  /// The requests that hold it.
  var holders: Set<ObjectIdentifier> = []
  /// The requests that wait for it, unless they are paused.
  var waiting: Set<ObjectIdentifier> = []
  var transfer: ResourceTransfer?
  /// A transfer that was stopped and may still write down what had arrived.
  var stopping: Task<Void, Never>?
  var amount: ResourceAmount?

  init(address: String, number: Int) {
    self.address = address
    self.number = number
    usedAt = .distantPast
  }
}

/// A transfer under way. A new one takes its place when it is started again.
@MainActor
final class ResourceTransfer {
  let isUrgent: Bool
  let isByKey: Bool
  var task: Task<Void, Never>?

  init(isUrgent: Bool, isByKey: Bool) {
    self.isUrgent = isUrgent
    self.isByKey = isByKey
  }
}

struct WeakRequest {
  weak var request: ResourceRequest?
}
