import FoundationEssentials
import QwinkleModel

/// A resource: where it is and which requests use it.
@MainActor
final class ResourceEntry {
  let address: String
  /// Sequence number: resources are numbered in the order in which they became known.
  let number: Int
  private let tally: ResourceTally
  var tags: Set<ResourceTag> = []
  /// Size in bytes, or nil if the resource isn't on disk.
  var byteCount: Int? {
    didSet { count() }
  }
  var usedAt: Date
  /// Requests that use the resource.
  var holders: Set<ObjectIdentifier> = [] {
    didSet { count() }
  }
  /// Requests that wait for the resource, except paused ones.
  var waiting: Set<ObjectIdentifier> = [] {
    didSet { updateActive() }
  }
  var transfer: ResourceTransfer? {
    didSet { updateActive() }
  }
  /// The task of a stopped transfer. The next transfer waits for it, because it may still be saving the bytes it
  /// received.
  var stopping: Task<Void, Never>?
  var amount: ResourceAmount?
  /// The bytes of this resource in the sums of ``ResourceTally``.
  private var counted = (onDisk: 0, inUse: 0)

  init(address: String, number: Int, tally: ResourceTally) {
    self.address = address
    self.number = number
    self.tally = tally
    usedAt = .distantPast
  }

  /// The resource's index entry, if the resource is on disk.
  var cached: CachedResource? {
    byteCount.map { CachedResource(address: address, byteCount: $0, tags: Set(tags.map(\.name)), usedAt: usedAt) }
  }

  private func count() {
    let bytes = byteCount ?? 0
    let now = (onDisk: bytes, inUse: holders.isEmpty ? 0 : bytes)
    tally.bytesOnDisk += now.onDisk - counted.onDisk
    tally.bytesInUse += now.inUse - counted.inUse
    counted = now
  }

  private func updateActive() {
    tally.active[address] = waiting.isEmpty && transfer == nil ? nil : self
  }
}

/// Sums over all resources, and the few resources with work in progress. Requests use them instead of searching all
/// resources ever known.
@MainActor
final class ResourceTally {
  fileprivate(set) var bytesOnDisk = 0
  fileprivate(set) var bytesInUse = 0
  /// Resources that a request waits for or that are being transferred, by address.
  fileprivate(set) var active: [String: ResourceEntry] = [:]
}

/// An in-progress transfer of one resource. A resource gets a new transfer each time its download starts or resumes.
@MainActor
final class ResourceTransfer {
  var task: Task<Void, Never>?
}
