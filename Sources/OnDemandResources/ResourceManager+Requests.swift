import FoundationEssentials
import QwinkleModel
import Timekeeping

/// State transitions of requests.
extension ResourceManager {
  func begin(_ request: ResourceRequest, completion: (@MainActor (ResourceError?) -> Void)?) {
    switch request.state {
    case .idle, .failed, .ended: break
    case .loading, .paused, .inUse: return
    }
    request.completion = completion
    start(request)
    whenLoaded { [weak self, weak request] in
      guard let self, let request else { return }
      settle(request)
    }
  }

  func conditionallyBegin(_ request: ResourceRequest, completion: @escaping @MainActor (Bool) -> Void) {
    guard request.state != .inUse else { return completion(true) }
    guard request.state != .loading, request.state != .paused else { return completion(false) }
    whenLoaded { [weak self, weak request] in
      guard let self, let request else { return completion(false) }
      let addresses = addresses(of: request)
      let areHere = addresses.allSatisfy { self.entries[$0]?.byteCount != nil }
      guard areHere, hasRoomInUse(for: addresses) else { return completion(false) }
      start(request)
      hold(request)
      completion(true)
    }
  }

  func end(_ request: ResourceRequest) {
    guard request.state != .ended, request.state != .idle else { return }
    leave(request, state: .ended)
    makeRoom()
  }

  func cancel(_ request: ResourceRequest) {
    guard request.state == .loading || request.state == .paused else { return }
    fail(request, with: .cancelled)
  }

  func pause(_ request: ResourceRequest) {
    guard request.state == .loading else { return }
    request.state = .paused
    for address in request.addresses { entries[address]?.waiting.remove(ObjectIdentifier(request)) }
    schedule()
    changed(request)
  }

  func resume(_ request: ResourceRequest) {
    guard request.state == .paused else { return }
    request.state = .loading
    settle(request)
    if request.state == .loading { changed(request) }
  }

  func priorityDidChange(of request: ResourceRequest) {
    if request.state == .loading { schedule() }
  }

  /// Removes a deallocated request and releases its resources.
  func forget(_ request: ObjectIdentifier, addresses: [String]) {
    guard requests.removeValue(forKey: request) != nil else { return }
    release(request, addresses)
    schedule()
    makeRoom()
  }

  func progress(of request: ResourceRequest) -> ResourceProgress {
    var progress = ResourceProgress()
    progress.count = request.addresses.count
    for entry in request.addresses.compactMap({ entries[$0] }) {
      if entry.byteCount != nil {
        progress.completedCount += 1
      } else {
        progress.received += entry.amount?.received ?? 0
        progress.total = progress.total.flatMap { sum in entry.amount?.total.map { sum + $0 } }
      }
    }
    return progress
  }

  // MARK: Steps

  private func addresses(of request: ResourceRequest) -> [String] {
    var seen: Set<String> = []
    return request.tags.sorted { $0.name < $1.name }.flatMap(resources).filter { seen.insert($0).inserted }
  }

  private func start(_ request: ResourceRequest) {
    request.addresses = addresses(of: request)
    request.state = .loading
    requests[ObjectIdentifier(request)] = WeakRequest(request: request)
  }

  /// Starts using the request's resources if all are loaded. Otherwise, waits for the missing ones.
  func settle(_ request: ResourceRequest) {
    guard request.state == .loading else { return }
    let missing = request.addresses.filter { entries[$0]?.byteCount == nil }
    guard !missing.isEmpty else {
      guard hasRoomInUse(for: request.addresses) else { return fail(request, with: .inUseLimit) }
      hold(request)
      finish(request, with: nil)
      return
    }
    guard request.isByKey || !isMetered else { return fail(request, with: .needsKey) }
    for address in missing { entry(address).waiting.insert(ObjectIdentifier(request)) }
    schedule()
  }

  /// Whether these resources can be used in addition to those already in use, without exceeding
  /// ``ResourceLimits/inUse``.
  private func hasRoomInUse(for addresses: [String]) -> Bool {
    let more = addresses.compactMap { entries[$0] }.filter { $0.holders.isEmpty }.reduce(0) { $0 + ($1.byteCount ?? 0) }
    return more == 0 || bytesInUse + more <= limits.inUse
  }

  private func hold(_ request: ResourceRequest) {
    request.state = .inUse
    for entry in request.addresses.compactMap({ entries[$0] }) {
      entry.holders.insert(ObjectIdentifier(request))
      entry.usedAt = clock.now
      entry.amount = nil
    }
    note(request.addresses)
    tellChange()
  }

  func fail(_ request: ResourceRequest, with error: ResourceError) {
    leave(request, state: .failed(error))
    finish(request, with: error)
  }

  private func finish(_ request: ResourceRequest, with error: ResourceError?) {
    let completion = request.completion
    request.completion = nil
    completion?(error)
    request.didChange?(request)
  }

  private func leave(_ request: ResourceRequest, state: ResourceRequest.State) {
    request.state = state
    if state == .ended { request.completion = nil }
    let identifier = ObjectIdentifier(request)
    requests[identifier] = nil
    release(identifier, request.addresses)
    schedule()
    if state == .ended { changed(request) }
  }

  private func release(_ request: ObjectIdentifier, _ addresses: [String]) {
    var used: [String] = []
    for address in addresses {
      guard let entry = entries[address] else { continue }
      if entry.holders.remove(request) != nil {
        entry.usedAt = clock.now
        used.append(address)
      }
      entry.waiting.remove(request)
    }
    if !used.isEmpty { note(used) }
  }

  private func changed(_ request: ResourceRequest) {
    request.didChange?(request)
    tellChange()
  }

  /// Saves the time of the resources' last use to the index on disk.
  private func note(_ addresses: [String]) {
    let cached = addresses.compactMap { entries[$0]?.cached }
    guard !cached.isEmpty else { return }
    let activity = ledger.begin("noting the use of resources", isBackground: true)
    Task { [index] in
      await index.note(cached)
      activity.end()
    }
  }
}
