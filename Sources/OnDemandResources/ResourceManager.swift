import FoundationEssentials
public import QwinkleModel
public import Timekeeping

/// An object that is notified when resources change or the disk is full.
@MainActor
public protocol ResourceObserver: AnyObject {
  /// Called when the state or the progress of a resource changes.
  func resourcesDidChange(_ manager: ResourceManager)
  /// Called when the disk is too full to save a resource, even after other resources have been purged to make room.
  func resourcesDidFindLowDiskSpace(_ manager: ResourceManager)
  /// Called when resources were purged because the disk is nearly full. Not called again before the space has
  /// recovered.
  func resources(_ manager: ResourceManager, didDropForDiskSpace byteCount: Int)
  /// Called when a resource was fetched and saved. Not called for resources that were cached already.
  func resources(_ manager: ResourceManager, didFetch address: String, byteCount: Int)
}

extension ResourceObserver {
  public func resourcesDidChange(_ manager: ResourceManager) {}
  public func resourcesDidFindLowDiskSpace(_ manager: ResourceManager) {}
  public func resources(_ manager: ResourceManager, didDropForDiskSpace byteCount: Int) {}
  public func resources(_ manager: ResourceManager, didFetch address: String, byteCount: Int) {}
}

/// Manages resources by tag: fetches them on demand, retains them while they are in use, and purges the least important
/// ones when space runs out.
///
/// Each resource is fetched once, even if several requests and tags need it. The index is read when the first request
/// begins or ``load()`` is called.
@MainActor
public final class ResourceManager {
  public var limits: ResourceLimits {
    didSet { if limits != oldValue { makeRoom() } }
  }
  /// Whether resources are fetched only when the user presses a key to load them.
  public var isMetered = false

  /// Returns the preservation priority, from 0 to 1, of a tag for which none was set.
  public var standardPreservationPriority: @MainActor (ResourceTag) -> Double = { _ in 0.5 }

  let index: any ResourceIndex
  let fetcher: any ResourceFetching
  let clock: any ProgramClock
  let ledger: ActivityLedger

  var entries: [String: ResourceEntry] = [:]
  let tally = ResourceTally()
  /// Requests that are loading, paused or in use.
  var requests: [ObjectIdentifier: WeakRequest] = [:]
  private var addressesByTag: [ResourceTag: [String]] = [:]
  private var preservation: [ResourceTag: Double] = [:]
  /// The priorities that the user chose for single tags.
  private var chosen: [ResourceTag: Double] = [:]
  private var observers = ObserverList<any ResourceObserver>()
  private var isLoaded = false
  private var waitingForIndex: [@MainActor () -> Void] = []
  var entryCount = 0
  /// Whether resources are being purged because those on disk exceed ``ResourceLimits/onDisk``.
  var isMakingRoom = false
  /// Whether observers were notified of the full disk since its space last recovered.
  var hasReportedFullDisk = false

  /// Creates a manager. The contents of `index` are read when first needed.
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

  /// Adds an observer, without retaining it.
  public func addObserver<Observer: ResourceObserver>(_ observer: Observer) {
    observers.add(observer) { $0 }
  }

  // MARK: Tags

  /// Sets the resources of a tag. Requests that have already begun are unaffected.
  public func setResources(_ addresses: [String], for tag: ResourceTag) {
    let former = addressesByTag[tag] ?? []
    guard former != addresses else { return }
    addressesByTag[tag] = addresses
    for address in former where !addresses.contains(address) { entries[address]?.tags.remove(tag) }
    for address in addresses { entry(address).tags.insert(tag) }
  }

  public func resources(of tag: ResourceTag) -> [String] { addressesByTag[tag] ?? [] }

  /// Sets the preservation priority of a tag, from 0 to 1. Resources with the lowest priority are purged first.
  public func setPreservationPriority(_ priority: Double, for tag: ResourceTag) {
    preservation[tag] = min(max(priority, 0), 1)
  }

  public func preservationPriority(of tag: ResourceTag) -> Double {
    chosen[tag] ?? preservation[tag] ?? standardPreservationPriority(tag)
  }

  /// Sets the priority that the user chose for a tag, and saves it in the index. It takes precedence over
  /// ``setPreservationPriority(_:for:)``. A priority equal to the usual one is forgotten, so that the tag follows later
  /// changes of the usual one.
  public func choosePreservationPriority(_ priority: Double, for tag: ResourceTag) {
    let usual = preservation[tag] ?? standardPreservationPriority(tag)
    let value = min(max(priority, 0), 1)
    chosen[tag] = abs(value - usual) < 0.001 ? nil : value
    let activity = ledger.begin("saving a priority")
    Task { [index, saved = chosen[tag]] in
      await index.setPriority(saved, of: tag.name)
      activity.end()
    }
    tellChange()
  }

  /// All known tags, sorted by name.
  public var tags: [ResourceTag] { addressesByTag.keys.sorted { $0.name < $1.name } }

  /// Returns a request, which the caller has to begin.
  ///
  /// - Parameter owner: A name for the user of the resources, such as the title of a screen. See
  ///   ``ResourceStatus/owners``.
  public func request(
    _ tags: Set<ResourceTag>, loadingPriority: Double = 0.5, isByKey: Bool = false, owner: String? = nil
  ) -> ResourceRequest {
    ResourceRequest(tags: tags, manager: self, loadingPriority: loadingPriority, isByKey: isByKey, owner: owner)
  }

  func entry(_ address: String) -> ResourceEntry {
    if let entry = entries[address] { return entry }
    entryCount += 1
    let entry = ResourceEntry(address: address, number: entryCount, tally: tally)
    entries[address] = entry
    return entry
  }

  func preservation(of entry: ResourceEntry) -> Double {
    entry.tags.map(preservationPriority).max() ?? 0.5
  }

  // MARK: Index

  /// Calls `body` immediately if the index has been read. Otherwise, returns and calls `body` after the index has been
  /// read.
  func whenLoaded(_ body: @escaping @MainActor () -> Void) {
    guard !isLoaded else { return body() }
    waitingForIndex.append(body)
    guard waitingForIndex.count == 1 else { return }
    let activity = ledger.begin("reading the index of resources")
    Task {
      let (cached, priorities) = (await index.all(), await index.priorities())
      take(cached)
      for (name, priority) in priorities where chosen[ResourceTag(name)] == nil { chosen[ResourceTag(name)] = priority }
      isLoaded = true
      let waiting = waitingForIndex
      waitingForIndex = []
      for body in waiting { body() }
      activity.end()
    }
  }

  private func take(_ cached: [CachedResource]) {
    for resource in cached {
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

  /// Reads the index, then notifies observers. Screens that list resources call this, because they can appear before
  /// any request has begun.
  public func load() {
    whenLoaded { [weak self] in self?.tellChange() }
  }

  /// Returns after the index has been read.
  public func loaded() async {
    await withCheckedContinuation { continuation in whenLoaded { continuation.resume() } }
  }

  func bytes(of address: String) async -> [UInt8]? {
    let bytes = await index.bytes(of: address)
    if bytes == nil { entries[address]?.byteCount = nil }
    return bytes
  }

  // MARK: Notifying

  func tellChange() {
    observers.forEach { $0.resourcesDidChange(self) }
  }

  func tellFetched(_ address: String, byteCount: Int) {
    observers.forEach { $0.resources(self, didFetch: address, byteCount: byteCount) }
  }

  func tellDropped(_ byteCount: Int) {
    observers.forEach { $0.resources(self, didDropForDiskSpace: byteCount) }
  }

  func tellLowDiskSpace() {
    observers.forEach { $0.resourcesDidFindLowDiskSpace(self) }
  }

  // MARK: Sums

  public var bytesOnDisk: Int { tally.bytesOnDisk }
  public var bytesInUse: Int { tally.bytesInUse }
}

struct WeakRequest {
  weak var request: ResourceRequest?
}
