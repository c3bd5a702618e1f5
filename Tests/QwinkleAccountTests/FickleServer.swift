import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Timekeeping

/// A server that answers late, never or twice, breaks connections before or after it performs a request, is busy, and
/// restarts. The seed determines the fate of each request, regardless of the order of requests.
final class FickleServer: Transport {
  static let me = Qwinker.sample("mara")
  /// The server refuses texts that contain this.
  static let refused = "refuse me"

  private enum Fate: Int, CaseIterable {
    case isAnswered, isNotConnected, isLost, isDoneAndLost, isDoneAndNeverAnswered, isNeverAnswered, isAnsweredLate
    case meetsBusyServer, isTooMuch, isDoneAndFails, comesTwice
  }

  fileprivate struct State {
    var written: [Qwink] = []
    var byKey: [String: Qwink] = [:]
    var counts: [String: Int] = [:]
    var switches: [String: Bool] = [:]
    var isDown = false
    var restarts = 0
    var isHealed = false
    var foreign: Set<String> = []
  }

  private let state = Mutex(State())
  private let clock: VirtualClock
  private let seed: UInt64
  /// Whether the server honours idempotency keys.
  private let honoursKeys: Bool
  /// Whether the server truncates creation times to seconds. `ahead` is its clock's offset in seconds.
  private let cutsSeconds: Bool
  private let ahead: TimeInterval

  init(seed: UInt64, clock: VirtualClock) {
    var dice = SplitMix(seed: seed ^ 0x5EED)
    self.seed = seed
    self.clock = clock
    honoursKeys = Bool.random(using: &dice)
    cutsSeconds = Bool.random(using: &dice)
    ahead = [0, 0.4, -7200, 86_400 * 3].randomElement(using: &dice) ?? 0
  }

  // MARK: For the test

  /// All qwinks on the server, oldest first.
  var written: [Qwink] { state.withLock { $0.written } }

  /// Texts that another client wrote.
  var foreign: Set<String> { state.withLock { $0.foreign } }

  /// Whether a reaction is on, by a key such as `favourite/7`.
  func isOn(_ key: String) -> Bool { state.withLock { $0.switches[key.replacing("boost/", with: "reblog/")] ?? false } }

  func setDown(_ isDown: Bool) {
    state.withLock { state in
      if isDown { state.restarts += 1 }
      state.isDown = isDown
    }
  }

  /// Stops all faults and brings the server up.
  func heal() {
    state.withLock { state in
      state.isDown = false
      state.isHealed = true
    }
  }

  /// Writes an entry as another client.
  func write(_ entry: Entry) {
    state.withLock { state in
      _ = state.write(entry, at: now, cutsSeconds: cutsSeconds)
      state.foreign.insert(entry.text)
    }
  }

  private var now: Date { clock.now.addingTimeInterval(ahead) }

  // MARK: Answering

  @concurrent func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let key = request.field("Idempotency-Key") ?? ""
    let name = "\(request.head.method.rawValue) \(request.head.path ?? "") \(key)"
    let (fate, delay, restarts, isDown) = state.withLock { state in
      let count = state.counts[name, default: 0]
      state.counts[name] = count + 1
      var hash: UInt64 = 14_695_981_039_346_656_037
      for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
      var dice = SplitMix(seed: seed ^ hash &+ UInt64(count))
      let isGood = state.isHealed || Int.random(in: 0..<10, using: &dice) < 4
      let fate = isGood ? .isAnswered : Fate.allCases.randomElement(using: &dice) ?? .isAnswered
      return (fate, Duration.seconds(Int.random(in: 1...25, using: &dice)), state.restarts, state.isDown)
    }
    guard !isDown else { throw .refused(host: "fickle") }
    switch fate {
    case .isNotConnected: throw .refused(host: "fickle")
    case .isLost: throw .interrupted(host: "fickle")
    case .isNeverAnswered:
      _ = await ClockWait(on: clock).wait(for: .seconds(30))
      throw .timedOut(host: "fickle")
    case .meetsBusyServer: return .json(WireEncoder.error("Busy"), status: 503)
    case .isTooMuch: return .json(WireEncoder.error("Slow down"), status: 429, fields: [.retryAfter: "20"])
    default: break
    }
    var answer = respond(to: request, key: key)
    if fate == .comesTwice, honoursKeys || request.head.method == .get { answer = respond(to: request, key: key) }
    switch fate {
    case .isDoneAndLost: throw .interrupted(host: "fickle")
    case .isDoneAndNeverAnswered:
      _ = await ClockWait(on: clock).wait(for: .seconds(30))
      throw .timedOut(host: "fickle")
    case .isDoneAndFails: return .json(WireEncoder.error("Oops"), status: 500)
    case .isAnsweredLate:
      _ = await ClockWait(on: clock).wait(for: delay)
      let isSame = state.withLock { $0.restarts == restarts }
      guard isSame else { throw .interrupted(host: "fickle") }
    default: break
    }
    return answer
  }

  private func respond(to request: TransportRequest, key: String) -> TransportResponse {
    let path = request.head.path.map { String($0.prefix { $0 != "?" }) } ?? ""
    let parts = path.split(separator: "/").map(String.init)
    var response =
      switch (request.head.method, parts.count) {
      case (.get, _) where path == "/api/v2/instance":
        TransportResponse.json(WireEncoder.serverInfoV2(ServerInfo(title: "F", domain: "fickle", version: "4.3.0")))
      case (.get, _) where path.hasSuffix("verify_credentials"):
        TransportResponse.json(WireEncoder.qwinker(Self.me, ownNote: ""))
      case (.get, _) where path.hasSuffix("/statuses"), (.get, _) where path.contains("/timelines/"):
        TransportResponse.json(WireEncoder.qwinks(Array(written.reversed().prefix(40))))
      case (.get, _) where path.hasSuffix("/conversations"): TransportResponse.json(Array("[]".utf8))
      case (.post, _) where path == "/api/v1/statuses": post(request, key: key)
      case (.post, 5): flip(parts[4], of: parts[3])
      default: TransportResponse.json(WireEncoder.error("Record not found"), status: 404)
      }
    if let date = Self.httpDate(now) { response.head.headerFields[.date] = date }
    return response
  }

  private func post(_ request: TransportRequest, key: String) -> TransportResponse {
    guard let entry = try? RequestParameters(body: request.body, contentType: request.field("Content-Type")).entry(),
      !entry.text.contains(Self.refused)
    else { return .json(WireEncoder.error("Validation failed"), status: 422) }
    let qwink = state.withLock { state in
      if honoursKeys, let known = state.byKey[key] { return known }
      let qwink = state.write(entry, at: now, cutsSeconds: cutsSeconds)
      state.byKey[key] = qwink
      return qwink
    }
    return .json(WireEncoder.qwink(qwink))
  }

  private func flip(_ verb: String, of id: String) -> TransportResponse {
    let isOn = !verb.hasPrefix("un")
    let name = isOn ? verb : String(verb.dropFirst(2))
    state.withLock { $0.switches["\(name)/\(id)"] = isOn }
    return .json(WireEncoder.qwink(.sample(id: Qwink.ID(id), text: "Hello")))
  }

  private static func httpDate(_ date: Date) -> String? {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    let iso = whole.formatted(.iso8601)
    let parts = iso.split { "-T:Z".contains($0) }.map(String.init)
    guard parts.count == 6, let month = Int(parts[1]) else { return nil }
    let day = days[Int(whole.timeIntervalSince1970 / 86_400) % 7]
    return "\(day), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
  }
}

extension FickleServer.State {
  mutating func write(_ entry: Entry, at now: Date, cutsSeconds: Bool) -> Qwink {
    let time = cutsSeconds ? now.timeIntervalSince1970.rounded(.down) : now.timeIntervalSince1970
    var qwink = Qwink.sample(
      id: Qwink.ID("s\(written.count + 1)"), text: entry.text, author: FickleServer.me,
      at: Date(timeIntervalSince1970: time))
    qwink.visibility = entry.visibility
    qwink.contentWarning = entry.contentWarning
    qwink.inReplyTo = entry.inReplyTo.map { Qwink.ID($0) }
    written.append(qwink)
    return qwink
  }
}
