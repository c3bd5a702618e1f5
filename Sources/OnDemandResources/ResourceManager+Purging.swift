import FoundationEssentials
import QwinkleModel
import Timekeeping

extension ResourceManager {
  /// Purges resources until the disk limit is met, as far as possible.
  func makeRoom() {
    let excess = bytesOnDisk - limits.onDisk
    guard excess > 0 else { return }
    let activity = ledger.begin("purging resources", isBackground: true)
    Task {
      await purge(bytes: excess)
      activity.end()
    }
  }

  /// Resources that can be purged, first to go first: by preservation priority, then by last use. Excludes resources in
  /// use.
  var purgeable: [String] {
    entries.values.filter { $0.byteCount != nil && $0.holders.isEmpty && $0.waiting.isEmpty }
      .sorted {
        (preservation(of: $0), $0.usedAt, $0.number) < (preservation(of: $1), $1.usedAt, $1.number)
      }
      .map(\.address)
  }

  /// Purges at least `wanted` bytes, as far as possible.
  func purge(bytes wanted: Int) async {
    var purged: [String] = []
    var count = 0
    for address in purgeable where count < wanted {
      count += entries[address]?.byteCount ?? 0
      purged.append(address)
    }
    await remove(purged)
  }

  /// Purges the tag's resources, or all resources if `tag` is nil, but none that are in use. Returns the number of
  /// bytes freed.
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
