import Synchronization

/// Counts of the refusals by each resource's limit since the server started.
final class RefusalCounts: Sendable {
  private let state = Mutex<[Resource: Int]>([:])

  var counts: [Resource: Int] { state.withLock { $0 } }

  func add(_ resource: Resource) { state.withLock { $0[resource, default: 0] += 1 } }
}
