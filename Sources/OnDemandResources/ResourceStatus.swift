public import FoundationEssentials

/// State of a tag's resources, for display in a list.
public struct ResourceStatus: Hashable, Sendable, Identifiable {
  public enum State: Hashable, Sendable {
    case notHere
    /// Progress from 0 to 1, or nil if unknown.
    case loading(Double?)
    /// Progress from 0 to 1, or nil if unknown.
    case paused(Double?)
    case here
    /// Number of requests that use the resources.
    case inUse(Int)
  }

  public var tag: ResourceTag
  public var state: State
  public var byteCount: Int
  /// The latest time at which one of the resources was saved or used. Nil if no resource was saved or used yet.
  public var usedAt: Date?
  public var preservationPriority: Double
  /// Names of the requests that use the resources, sorted and each once. Requests without a name are omitted.
  public var owners: [String] = []
  /// The tag with the highest preservation priority among all tags of the resources, if any resource is on disk.
  public var keptBy: ResourceTag?
  /// The priority of ``keptBy``.
  public var keptPriority = 0.0
  /// Whether one of the resources is purged before all others when space runs out.
  public var isNextToPurge = false

  public var id: ResourceTag { tag }
}

extension ResourceManager {
  public func status(of tag: ResourceTag) -> ResourceStatus { status(of: tag, next: nextToPurge) }

  /// The states of all known tags, sorted by name.
  public var statuses: [ResourceStatus] {
    let next = nextToPurge
    return tags.map { status(of: $0, next: next) }
  }

  private func status(of tag: ResourceTag, next: String?) -> ResourceStatus {
    let addresses = resources(of: tag)
    let entries = addresses.compactMap { self.entries[$0] }
    let used = entries.map(\.usedAt).max()
    var status = ResourceStatus(
      tag: tag, state: state(of: tag, entries), byteCount: entries.reduce(0) { $0 + ($1.byteCount ?? 0) },
      usedAt: used == .distantPast ? nil : used, preservationPriority: preservationPriority(of: tag))
    status.owners = owners(of: entries)
    status.isNextToPurge = next.map(addresses.contains) ?? false
    let onDisk = entries.filter { $0.byteCount != nil }
    if let strongest = strongestTag(of: onDisk, listedAs: tag) {
      status.keptBy = strongest
      status.keptPriority = preservationPriority(of: strongest)
    }
    return status
  }

  private func owners(of entries: [ResourceEntry]) -> [String] {
    let holders = entries.reduce(into: Set<ObjectIdentifier>()) { $0.formUnion($1.holders) }
    return Set(holders.compactMap { requests[$0]?.request?.owner }.filter { !$0.isEmpty }).sorted()
  }

  /// Returns the tag with the highest priority. Of several, prefers `tag`, then the first by name.
  private func strongestTag(of entries: [ResourceEntry], listedAs tag: ResourceTag) -> ResourceTag? {
    entries.reduce(into: Set<ResourceTag>()) { $0.formUnion($1.tags) }.map { other in
      (tag: other, order: (-preservationPriority(of: other), other == tag ? 0 : 1, other.name))
    }.min { $0.order < $1.order }?.tag
  }

  private func state(of tag: ResourceTag, _ entries: [ResourceEntry]) -> ResourceStatus.State {
    let holders = entries.reduce(into: Set<ObjectIdentifier>()) { $0.formUnion($1.holders) }
    if !holders.isEmpty { return .inUse(holders.count) }
    if !entries.isEmpty, entries.allSatisfy({ $0.byteCount != nil }) { return .here }
    let requests = pending(tag)
    let isLoading = requests.contains { $0.state == .loading } || entries.contains { $0.transfer != nil }
    guard isLoading || !requests.isEmpty else { return .notHere }
    let fraction = fraction(of: entries.filter { $0.byteCount == nil })
    return isLoading ? .loading(fraction) : .paused(fraction)
  }

  private func fraction(of loading: [ResourceEntry]) -> Double? {
    let total = loading.reduce(Int?(0)) { sum, entry in sum.flatMap { sum in entry.amount?.total.map { sum + $0 } } }
    let received = loading.reduce(0) { $0 + ($1.amount?.received ?? 0) }
    return total.flatMap { $0 > 0 ? min(1, Double(received) / Double($0)) : nil }
  }
}
