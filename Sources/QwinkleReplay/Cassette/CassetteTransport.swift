import HTTPTypes
import HTTPTypes
public import QwinkleWire
import Synchronization
public import Timekeeping

/// A transport that answers only from a cassette: equal requests get the same responses in the same order.
///
/// A request gets the next unused entry with its method, path, query and body; the host is only a preference. Once all
/// are used, a GET gets the last response again. A request without a match fails, and the error names the nearest
/// entry.
public final class CassetteTransport: Transport {
  private struct Kept: Sendable {
    var entry: Cassette.Entry
    var key: RequestKey
    var authority: String
  }

  private let kept: [Kept]
  private let isPrivate: Bool
  private let clock: (any ProgramClock)?
  private let used = Mutex<Set<Int>>([])

  /// Answers from `cassette`: at once, or with a `clock` after the recorded delay, on that clock.
  public init(_ cassette: Cassette, clock: (any ProgramClock)? = nil) {
    var scrubber = Scrubber(isPrivate: cassette.isPrivate)
    kept = cassette.entries.map { entry in
      let request = scrubber.scrubbed(entry.request)
      return Kept(entry: entry, key: RequestKey(request), authority: RequestAddress(request.url).authority)
    }
    isPrivate = cassette.isPrivate
    self.clock = clock
  }

  @concurrent public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    guard !Task.isCancelled else { throw .cancelled }
    // Scrub it as a recording would: secrets differ each time, their replacements don't.
    var scrubber = Scrubber(isPrivate: isPrivate)
    let asked = scrubber.scrubbed(Cassette.Request(request))
    let key = RequestKey(asked)
    guard let index = take(key, at: RequestAddress(asked.url).authority) else { throw .local(reason: miss(key)) }
    let entry = kept[index].entry
    if let clock { try await wait(for: entry.time, of: request, by: clock) }

    let host = request.head.authority ?? ""
    if let failure = entry.failure { throw failure.error(for: host) }
    guard let response = entry.response.transportResponse else { throw .malformed(host: host) }
    guard response.body.count <= request.mostBytes else { throw .tooLarge(host: host) }
    request.didReceive?(response.body.count, response.body.count)
    return response
  }

  /// Index of the entry that answers, now marked as used; nil if none matches.
  private func take(_ key: RequestKey, at authority: String) -> Int? {
    let all = kept.indices.filter { kept[$0].key == key }
    let sameHost = all.filter { kept[$0].authority == authority }
    let matching = sameHost.isEmpty ? all : sameHost
    // A cancelled exchange doesn't show what the server would have answered.
    let answered = matching.filter { kept[$0].entry.failure?.isCancelled != true }
    return used.withLock { used in
      let index =
        answered.first { !used.contains($0) } ?? (key.isRead ? answered.last : nil)
        ?? matching.first { !used.contains($0) }
      if let index { used.insert(index) }
      return index
    }
  }

  @concurrent private func wait(
    for milliseconds: Double, of request: TransportRequest, by clock: any ProgramClock
  ) async throws(TransportError) {
    let time = Duration.microseconds(Int64(min(max(milliseconds, 0), 86_400_000) * 1000))
    guard await ClockWait(on: clock).wait(for: min(time, request.timeout)) == .passed else { throw .cancelled }
    if time > request.timeout { throw .timedOut(host: request.head.authority ?? "") }
  }

  /// Two sentences: what the cassette lacks, and its nearest entry.
  private func miss(_ key: RequestKey) -> String {
    if let last = kept.lastIndex(where: { $0.key == key }) {
      return "All responses to \(key.words) are used up. The last is entry \(last + 1)."
    }
    let none = "The cassette has no response to \(key.words)."
    let nearest = kept.indices.min { key.distance(to: kept[$0].key) < key.distance(to: kept[$1].key) }
    guard let nearest else { return "\(none) It is empty." }
    let other = kept[nearest].key
    if other.method == key.method, other.path == key.path, other.query == key.query {
      let names = key.differingFields(from: other).prefix(4).joined(separator: ", ")
      return "\(none) Entry \(nearest + 1) has other fields: \(names)."
    }
    return "\(none) The nearest is entry \(nearest + 1): \(other.words)."
  }
}
