import QwinkleModel
import Synchronization

/// A program that shows a live timeline.
@MainActor
public protocol LiveWorld: AnyObject {
  var server: LiveServer { get }
  /// Advances the time and performs everything that becomes due.
  func pass(_ time: Duration) async
  /// Simulates a sleeping computer.
  func sleep(_ time: Duration) async
  /// Simulates a suspended program.
  func suspend(for time: Duration) async
  func refresh() async
  func loadOlder() async
}

/// An event that affects a live timeline.
public enum LiveAct: String, CaseIterable, Sendable {
  case posts, postTwice, postLate, edit, longEdit, delete, brokenFrame, outOfOrder, repeatedItems
  case cut, cutInEvent, stall, goingUpOrDown, hourOfRefusals, sleep, suspend, refresh, older

  /// Returns a random event. Ordinary events are more frequent.
  public static func random(_ random: inout some RandomNumberGenerator) -> LiveAct {
    let frequent: [LiveAct] = [.posts, .posts, .posts, .postLate, .edit, .delete]
    return (allCases + frequent).randomElement(using: &random) ?? .posts
  }

  /// Performs the event.
  @MainActor
  public func perform(in world: some LiveWorld, _ random: inout some RandomNumberGenerator) async {
    let server = world.server
    let id = server.qwinks.prefix(60).compactMap { Int($0.id.rawValue) }.randomElement(using: &random)
    switch self {
    case .posts: for _ in 0..<Int.random(in: 1...8, using: &random) { server.post() }
    case .postTwice: server.post(times: 2)
    case .postLate: server.post(isLate: true)
    case .edit: if let id { server.edit(id) }
    case .longEdit: if let id { server.edit(id, isLong: true) }
    case .delete: if let id { server.delete(id, times: 2) }
    case .brokenFrame: server.tellNonsense()
    case .outOfOrder:
      server.outOfOrder {
        for _ in 0..<3 { server.post() }
        let new = server.qwinks.prefix(3).compactMap { Int($0.id.rawValue) }
        server.edit(new[0])
        server.edit(new[0])
        server.delete(new[1])
        if let id { server.delete(id) }
      }
    case .repeatedItems: server.state.withLock { $0.repeatsItems.toggle() }
    case .cut: server.cut()
    case .cutInEvent: server.cut(isInEvent: true)
    case .stall: server.stall()
    case .goingUpOrDown: server.state.withLock { $0.isUp.toggle() }
    case .hourOfRefusals:
      server.state.withLock { $0.isUp = false }
      server.cut()
      for _ in 0..<3 { server.post() }
      await world.pass(.seconds(3600))
      server.state.withLock { $0.isUp = true }
    case .sleep:
      server.stall()
      for _ in 0..<3 { server.post() }
      await world.sleep(.seconds(1800))
    case .suspend: await world.suspend(for: .seconds(600))
    case .refresh: await world.refresh()
    case .older: await world.loadOlder()
    }
  }
}

/// Counts of the performed events.
public struct LiveTally {
  private var counts: [LiveAct: Int] = [:]

  public init() {}

  public mutating func note(_ act: LiveAct) { counts[act, default: 0] += 1 }

  /// Events that were never performed.
  public var missing: [LiveAct] { LiveAct.allCases.filter { counts[$0] == nil } }

  public var words: String {
    LiveAct.allCases.map { "\($0.rawValue) \(counts[$0] ?? 0)" }.joined(separator: ", ")
  }
}
