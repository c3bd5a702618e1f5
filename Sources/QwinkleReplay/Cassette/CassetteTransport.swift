import HTTPTypes
import HTTPTypes
public import QwinkleWire
import Synchronization
public import Timekeeping

/// A transport that replays the responses of a cassette and never contacts a server. The same requests always get the
/// same responses, in the same order.
///
/// A request is answered by the next unused entry with the same method, path, query and body. If the cassette has such
/// entries from the same host, only these are used. After all of them are used, a GET or HEAD request gets the last
/// response again, and any other request fails. A request without a match fails with an error that names the most
/// similar entry.
public final class CassetteTransport: Transport {
  private struct Entry: Sendable {
    var entry: Cassette.Entry
    var key: RequestKey
    var authority: String
  }

  private let recorded: [Entry]
  private let isPrivate: Bool
  private let clock: (any ProgramClock)?
  private let used = Mutex<Set<Int>>([])

  /// Creates a transport that answers from `cassette`: after the recorded delay if there is a `clock`, otherwise
  /// immediately.
  public init(_ cassette: Cassette, clock: (any ProgramClock)? = nil) {
    var scrubber = Scrubber(isPrivate: cassette.isPrivate)
    recorded = cassette.entries.map { entry in
      let request = scrubber.scrubbed(entry.request)
      return Entry(entry: entry, key: RequestKey(request), authority: RequestAddress(request.url).authority)
    }
    isPrivate = cassette.isPrivate
    self.clock = clock
  }

  @concurrent public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    guard !Task.isCancelled else { throw .cancelled }
    // Scrub the request in the same way as the recorded requests. Secrets differ from run to run, but their
    // replacements are equal, so the requests can be compared.
    var scrubber = Scrubber(isPrivate: isPrivate)
    let asked = scrubber.scrubbed(Cassette.Request(request))
    let key = RequestKey(asked)
    guard let index = take(key, at: RequestAddress(asked.url).authority) else { throw .local(reason: miss(key)) }
    let entry = recorded[index].entry
    if let clock { try await wait(for: entry.time, of: request, by: clock) }

    let host = request.head.authority ?? ""
    if let failure = entry.failure { throw failure.error(for: host) }
    guard let response = entry.response.transportResponse else { throw .malformed(host: host) }
    guard response.body.count <= request.mostBytes else { throw .tooLarge(host: host) }
    request.didReceive?(response.body.count, response.body.count)
    return response
  }

  /// Marks the matching entry as used and returns its index, or nil if no entry matches.
  private func take(_ key: RequestKey, at authority: String) -> Int? {
    let all = recorded.indices.filter { recorded[$0].key == key }
    let sameHost = all.filter { recorded[$0].authority == authority }
    let matching = sameHost.isEmpty ? all : sameHost
    // Prefer entries that weren't cancelled: a cancelled exchange doesn't include the server's response.
    let answered = matching.filter { recorded[$0].entry.failure?.isCancelled != true }
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

  /// Returns an error message with two sentences: the first names the missing response, the second names the nearest
  /// entry.
  private func miss(_ key: RequestKey) -> String {
    if let last = recorded.lastIndex(where: { $0.key == key }) {
      return "All responses to \(key.words) are used up. The last is entry \(last + 1)."
    }
    let none = "The cassette has no response to \(key.words)."
    let nearest = recorded.indices.min { key.distance(to: recorded[$0].key) < key.distance(to: recorded[$1].key) }
    guard let nearest else { return "\(none) It is empty." }
    let other = recorded[nearest].key
    if other.method == key.method, other.path == key.path, other.query == key.query {
      let names = key.differingFields(from: other).prefix(4).joined(separator: ", ")
      return "\(none) Entry \(nearest + 1) has other fields: \(names)."
    }
    return "\(none) The nearest is entry \(nearest + 1): \(other.words)."
  }
}
