import FoundationEssentials
import QwinkleModel
import Timekeeping

/// Scheduling of transfers.
extension ResourceManager {
  /// Starts and stops transfers according to the current requests.
  func schedule() {
    let active = Array(tally.active.values)
    let wanted = active.filter { $0.byteCount == nil && !$0.waiting.isEmpty }
    let urgency = wanted.contains { priority(of: $0) == ResourceRequest.urgent }
    for entry in active where entry.transfer != nil {
      // While an urgent request is waiting, all other transfers stop to leave it the bandwidth.
      if entry.waiting.isEmpty || (urgency && priority(of: entry) != ResourceRequest.urgent) { stop(entry) }
    }
    var running: [String: Int] = [:]
    for entry in active where entry.transfer != nil { running[host(of: entry), default: 0] += 1 }
    let order = wanted.filter { $0.transfer == nil }
      .sorted { (priority(of: $0), -$0.number) > (priority(of: $1), -$1.number) }
    for entry in order {
      guard !urgency || priority(of: entry) == ResourceRequest.urgent else { break }
      let host = host(of: entry)
      guard running[host, default: 0] < limits.transfersPerServer else { continue }
      running[host, default: 0] += 1
      start(entry)
    }
  }

  /// The highest priority among requests waiting for the resource.
  private func priority(of entry: ResourceEntry) -> Double {
    waitingRequests(for: entry).map(\.loadingPriority).max() ?? 0
  }

  private func waitingRequests(for entry: ResourceEntry) -> [ResourceRequest] {
    entry.waiting.compactMap { requests[$0]?.request }
  }

  /// Returns the scheme, host and port of the resource's address. Addresses with the same scheme, host and port share
  /// the limit ``ResourceLimits/transfersPerServer``.
  private func host(of entry: ResourceEntry) -> String {
    entry.address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).prefix(2).joined(separator: "//")
  }

  private func stop(_ entry: ResourceEntry) {
    entry.transfer?.task?.cancel()
    entry.stopping = entry.transfer?.task
    entry.transfer = nil
  }

  private func start(_ entry: ResourceEntry) {
    let isByKey = waitingRequests(for: entry).contains { $0.isByKey }
    let transfer = ResourceTransfer()
    entry.transfer = transfer
    let activity = ledger.begin("fetching a resource")
    let (index, fetcher, address, mostBytes) = (index, fetcher, entry.address, limits.single)
    let report: @Sendable (ResourceAmount) -> Void = { [weak self] amount in
      Task { @MainActor in self?.received(amount, of: address, by: transfer) }
    }
    let former = entry.stopping
    entry.stopping = nil
    transfer.task = Activity.$current.withValue(activity) {
      Task { [weak self] in
        await former?.value
        let part = await index.part(of: address)
        let result = await fetcher.fetch(
          address, after: part, isByKey: isByKey, mostBytes: mostBytes, didReceive: report)
        await self?.finished(transfer, of: address, with: result)
        activity.end()
      }
    }
    tellChange()
  }

  private func received(_ amount: ResourceAmount, of address: String, by transfer: ResourceTransfer) {
    guard let entry = entries[address], entry.transfer === transfer else { return }
    entry.amount = amount
    for request in waitingRequests(for: entry) { request.didChange?(request) }
    tellChange()
  }

  private func finished(
    _ transfer: ResourceTransfer, of address: String, with result: ResourceFetchResult
  ) async {
    switch result {
    case .whole(let bytes):
      let entry = entry(address)
      guard entry.byteCount == nil else { break }
      let error = await keep(bytes, of: entry)
      // During the save, requests may have been added or removed, so another transfer may have replaced this one.
      if entry.transfer === transfer { entry.transfer = nil }
      if let error {
        failWaiting(for: entry, with: error)
      } else {
        tellFetched(address, byteCount: bytes.count)
        arrived(entry)
      }
    case .broken(let error, let part):
      if let part, !part.bytes.isEmpty, part.validator != nil { try? await index.keep(part, of: address) }
      guard let entry = entries[address], entry.transfer === transfer else { break }
      entry.transfer = nil
      if error == .gone || error == .tooLarge || error == .refusedType { entry.amount = nil }
      // `stop` clears `entry.transfer`, so the guard above has excluded transfers that the manager stopped. Therefore
      // even a cancellation is a failure here.
      failWaiting(for: entry, with: error)
    }
    schedule()
    tellChange()
  }

  private func failWaiting(for entry: ResourceEntry, with error: ResourceError) {
    for request in waitingRequests(for: entry) { fail(request, with: error) }
    entry.waiting = []
  }

  private func arrived(_ entry: ResourceEntry) {
    let requests = waitingRequests(for: entry)
    entry.waiting = []
    for request in requests {
      request.didChange?(request)
      settle(request)
    }
    makeRoom()
  }

  // MARK: Saving

  /// Saves a resource. If the disk is nearly full, first purges other resources. If it is full nevertheless, purges
  /// more and retries once.
  private func keep(_ bytes: [UInt8], of entry: ResourceEntry) async -> ResourceError? {
    guard bytes.count <= limits.single else { return .tooLarge }
    await checkFreeSpace(for: bytes.count)
    for attempt in 0..<2 {
      let cached = CachedResource(
        address: entry.address, byteCount: bytes.count, tags: Set(entry.tags.map(\.name)), usedAt: clock.now)
      do throws(ResourceIndexError) {
        try await index.keep(bytes, as: cached)
        entry.byteCount = bytes.count
        entry.usedAt = cached.usedAt
        return nil
      } catch {
        guard case .noSpace = error, attempt == 0 else {
          if case .unusable(let reason) = error { return .failed(reason) }
          if !hasReportedFullDisk { tellLowDiskSpace() }
          hasReportedFullDisk = true
          return .noSpace
        }
        await dropForDiskSpace(max(bytes.count, limits.onDisk / 4))
      }
    }
    return .noSpace
  }
}
