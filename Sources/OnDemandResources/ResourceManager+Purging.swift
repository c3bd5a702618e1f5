import FoundationEssentials
import QwinkleModel
import Timekeeping

extension ResourceManager {
  /// Starts purging resources if those on disk exceed ``ResourceLimits/onDisk``.
  func makeRoom() {
    guard bytesOnDisk > limits.onDisk, !isMakingRoom else { return }
    isMakingRoom = true
    let activity = ledger.begin("purging resources", isBackground: true)
    Task {
      isMakingRoom = false
      await purge(bytes: bytesOnDisk - limits.onDisk)
      activity.end()
    }
  }

  /// Addresses of the resources that can be purged, in the order to purge them: lowest preservation priority first,
  /// then least recently used. Excludes resources in use.
  var purgeable: [String] { purgeOrder.sorted { $0.order < $1.order }.map(\.address) }

  /// The address of the resource that would be purged first.
  var nextToPurge: String? { purgeOrder.min { $0.order < $1.order }?.address }

  private var purgeOrder: [(address: String, order: (Double, Date, Int))] {
    // A request that is still loading needs its resources that have arrived. If they were purged, it would fetch them
    // again, and purge others for them.
    let needed = Set(
      requests.values.compactMap(\.request).filter { $0.state == .loading || $0.state == .paused }.flatMap(\.addresses))
    return entries.values
      .filter {
        $0.byteCount != nil && $0.holders.isEmpty && $0.waiting.isEmpty && !needed.contains($0.address)
      }
      .map { (address: $0.address, order: (preservation(of: $0), $0.usedAt, $0.number)) }
  }

  /// Purges resources in the order of ``purgeable``, until at least `wanted` bytes are freed or none are left.
  func purge(bytes wanted: Int) async {
    var purged: [String] = []
    var count = 0
    guard wanted > 0 else { return }
    for address in purgeable where count < wanted {
      count += entries[address]?.byteCount ?? 0
      purged.append(address)
    }
    await remove(purged)
  }

  /// Purges the tag's resources, or all resources if `tag` is nil. Skips resources in use. Returns the number of bytes
  /// freed.
  @discardableResult
  public func purge(_ tag: ResourceTag? = nil) async -> Int {
    let former = bytesOnDisk
    let meant = tag.map { Set(resources(of: $0)) }
    await remove(purgeable.filter { meant?.contains($0) ?? true })
    return former - bytesOnDisk
  }

  private func remove(_ addresses: [String]) async {
    guard !addresses.isEmpty else { return }
    for address in addresses {
      entries[address]?.byteCount = nil
      entries[address]?.amount = nil
    }
    tellChange()
    let activity = ledger.begin("removing resources")
    await index.remove(addresses)
    activity.end()
  }
}
