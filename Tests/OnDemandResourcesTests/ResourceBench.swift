import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import OnDemandResources

/// A resource manager with a scripted network and an in-memory index.
@MainActor
final class ResourceBench {
  let clock = VirtualClock()
  let ledger = ActivityLedger()
  let index = MemoryIndex()
  let fetcher = ScriptedFetcher()
  let manager: ResourceManager
  private(set) var lowDiskCount = 0
  /// Bytes of each reported purge on a nearly full disk.
  private(set) var dropped: [Int] = []
  /// Addresses reported as fetched, in order.
  private(set) var reported: [String] = []

  init(_ limits: ResourceLimits = ResourceLimits()) {
    manager = ResourceManager(index: index, fetcher: fetcher, clock: clock, ledger: ledger, limits: limits)
    manager.addObserver(self)
  }

  /// Returns a new manager on the same index, as after a restart.
  func restarted() -> ResourceManager {
    ResourceManager(index: index, fetcher: fetcher, clock: clock, ledger: ledger)
  }

  /// Sets a tag's resources, given as sizes in bytes by address.
  @discardableResult
  func tag(_ name: String, _ resources: [String: Int]) -> ResourceTag {
    let tag = ResourceTag(name)
    for (address, count) in resources { fetcher.setFile(address, [UInt8](repeating: 7, count: count)) }
    manager.setResources(resources.keys.sorted(), for: tag)
    return tag
  }

  /// Begins a request and waits until it settles.
  @discardableResult
  func begun(_ tags: ResourceTag..., priority: Double = 0.5) async -> ResourceRequest {
    let request = manager.request(Set(tags), loadingPriority: priority)
    request.begin()
    await settle()
    clock.advance(by: .seconds(1))
    return request
  }

  /// Waits until no activity is pending.
  func settle() async {
    await ledger.settleWithMainQueue()
  }

  /// Waits until `isSo` holds, even if other work is still pending.
  func wait(for what: String, until isSo: () -> Bool) async throws {
    try await TerminalTesting.wait(for: what, showing: { "\(fetcher.calls)" }, until: isSo)
  }
}

extension ResourceBench: ResourceObserver {
  func resourcesDidFindLowDiskSpace(_ manager: ResourceManager) { lowDiskCount += 1 }
  func resources(_ manager: ResourceManager, didDropForDiskSpace byteCount: Int) { dropped.append(byteCount) }
  func resources(_ manager: ResourceManager, didFetch address: String, byteCount: Int) { reported.append(address) }
}

/// An in-memory network. A test can pause a transfer at a byte offset.
final class ScriptedFetcher: ResourceFetching {
  struct Call: Hashable, Sendable {
    var address: String
    var start: Int
    var isByKey: Bool
  }

  private struct State {
    var files: [String: [UInt8]] = [:]
    var errors: [String: ResourceError] = [:]
    var holds: [String: (at: Int, gate: Gate)] = [:]
    var calls: [Call] = []
    var versions: [String: String] = [:]
    var continues = true
    var running: Set<String> = []
    var mostRunning = 0
  }

  private let state = Mutex(State())

  var calls: [Call] { state.withLock { $0.calls } }
  var fetched: [String] { calls.map(\.address) }
  var running: Set<String> { state.withLock { $0.running } }
  /// Highest number of concurrent transfers.
  var mostRunning: Int { state.withLock { $0.mostRunning } }
  /// Whether the server can resume a partial download.
  var continues: Bool {
    get { state.withLock { $0.continues } }
    set { state.withLock { $0.continues = newValue } }
  }

  func setFile(_ address: String, _ bytes: [UInt8], version: String = "\"1\"") {
    state.withLock {
      $0.files[address] = bytes
      $0.versions[address] = version
    }
  }

  func fail(_ address: String, with error: ResourceError?) { state.withLock { $0.errors[address] = error } }

  /// Pauses the file's transfer after `count` bytes until the gate opens.
  func hold(_ address: String, at count: Int) -> Gate {
    let gate = Gate()
    state.withLock { $0.holds[address] = (count, gate) }
    return gate
  }

  func letGo(_ address: String) {
    state.withLock { $0.holds.removeValue(forKey: address) }?.gate.open()
  }

  @concurrent func fetch(
    _ address: String, after part: PartialResource?, isByKey: Bool, mostBytes: Int,
    didReceive: @escaping @Sendable (ResourceAmount) -> Void
  ) async -> ResourceFetchResult {
    let (file, error, hold, version, continues) = state.withLock { state in
      state.running.insert(address)
      state.mostRunning = max(state.mostRunning, state.running.count)
      return (
        state.files[address] ?? [], state.errors[address], state.holds[address], state.versions[address],
        state.continues
      )
    }
    let usable = part.flatMap { continues && $0.validator == version ? $0.bytes : nil }
    state.withLock { $0.calls.append(Call(address: address, start: usable?.count ?? 0, isByKey: isByKey)) }
    defer { state.withLock { _ = $0.running.remove(address) } }
    if let error { return .broken(error, part: nil) }
    guard file.count <= mostBytes else { return .broken(.tooLarge, part: nil) }
    if let hold, !hold.gate.isOpen {
      let sent = (usable ?? []) + file[(usable?.count ?? 0)..<max(usable?.count ?? 0, min(file.count, hold.at))]
      didReceive(ResourceAmount(received: sent.count, total: file.count))
      let stop = Gate()
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isDone = Mutex(false)
          let resume: @Sendable () -> Void = {
            let isFirst = isDone.withLock { done in
              defer { done = true }
              return !done
            }
            if isFirst { continuation.resume() }
          }
          hold.gate.whenOpen(resume)
          stop.whenOpen(resume)
        }
      } onCancel: {
        stop.open()
      }
      if Task.isCancelled {
        return .broken(.cancelled, part: PartialResource(bytes: Array(sent), validator: version, total: file.count))
      }
    }
    if Task.isCancelled { return .broken(.cancelled, part: part) }
    didReceive(ResourceAmount(received: file.count, total: file.count))
    return .whole((usable ?? []) + file[(usable?.count ?? 0)...])
  }
}

/// An in-memory index with a limited disk.
final class MemoryIndex: ResourceIndex {
  private struct State {
    var kept: [String: (resource: CachedResource, bytes: [UInt8])] = [:]
    var parts: [String: PartialResource] = [:]
    var room = Int.max
    var removed: [String] = []
    var free: Int?
    var priorities: [String: Double] = [:]
  }

  private let state = Mutex(State())

  /// Disk capacity in bytes.
  var room: Int {
    get { state.withLock { $0.room } }
    set { state.withLock { $0.room = newValue } }
  }

  /// Free space on the disk, which saving and removing doesn't change; nil if unknown.
  var free: Int? {
    get { state.withLock { $0.free } }
    set { state.withLock { $0.free = newValue } }
  }

  @concurrent func freeSpace() async -> Int? { free }

  @concurrent func removeParts() async -> Int {
    state.withLock { state in
      defer { state.parts = [:] }
      return state.parts.values.reduce(0) { $0 + $1.bytes.count }
    }
  }

  @concurrent func priorities() async -> [String: Double] { state.withLock { $0.priorities } }

  @concurrent func setPriority(_ priority: Double?, of tag: String) async {
    state.withLock { $0.priorities[tag] = priority }
  }

  var addresses: Set<String> { state.withLock { Set($0.kept.keys) } }
  /// Removed addresses in order.
  var removed: [String] { state.withLock { $0.removed } }

  func damage(_ address: String) { state.withLock { _ = $0.kept.removeValue(forKey: address) } }

  @concurrent func all() async -> [CachedResource] { state.withLock { $0.kept.values.map(\.resource) } }

  @concurrent func bytes(of address: String) async -> [UInt8]? { state.withLock { $0.kept[address]?.bytes } }

  @concurrent func keep(_ bytes: [UInt8], as resource: CachedResource) async throws(ResourceIndexError) {
    let isKept = state.withLock { state in
      guard state.kept.values.reduce(bytes.count, { $0 + $1.bytes.count }) <= state.room else { return false }
      state.kept[resource.address] = (resource, bytes)
      state.parts[resource.address] = nil
      return true
    }
    if !isKept { throw .noSpace }
  }

  @concurrent func note(_ resources: [CachedResource]) async {
    state.withLock { state in
      for resource in resources { state.kept[resource.address]?.resource = resource }
    }
  }

  @concurrent func remove(_ addresses: [String]) async {
    state.withLock { state in
      for address in addresses {
        state.kept[address] = nil
        state.parts[address] = nil
        state.removed.append(address)
      }
    }
  }

  @concurrent func part(of address: String) async -> PartialResource? { state.withLock { $0.parts[address] } }

  @concurrent func keep(_ part: PartialResource, of address: String) async throws(ResourceIndexError) {
    state.withLock { $0.parts[address] = part }
  }
}
