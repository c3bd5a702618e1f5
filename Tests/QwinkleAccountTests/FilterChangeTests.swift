import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount

/// Mutes of hashtags and filters of single posts: their effects on known posts, and their undo.
@MainActor
@Suite(.bounded) struct FilterChangeTests {
  /// A server with filters whose timelines never change.
  private final class Server: Sendable {
    let filters: Mutex<[ContentFilter]>

    init(_ filters: [ContentFilter]) { self.filters = Mutex(filters) }

    func answer(_ request: TransportRequest) -> TransportResponse {
      let path = request.head.path ?? ""
      let parts = path.split(separator: "/").map(String.init)
      return filters.withLock { filters in
        let index = filters.firstIndex { parts.count > 3 && $0.id.rawValue == parts[3] }
        switch (request.head.method, path) {
        case (.get, "/api/v2/filters"): return .json(WireEncoder.filters(filters))
        case (.post, "/api/v2/filters"):
          var new = ContentFilter.muting(tag: "garden")
          new.id = "new"
          filters.append(new)
          return .json(WireEncoder.filter(new))
        case (.post, _) where path.hasSuffix("/statuses"):
          return .json(WireEncoder.filteredQwink(FilteredQwink(id: "91", qwink: "2")))
        case (.put, _):
          return .json(index.map { WireEncoder.filter(filters[$0]) } ?? Array("{}".utf8))
        case (.delete, _):
          if let index { filters.remove(at: index) }
          return .json(Array("{}".utf8))
        default: return .json(Array("[]".utf8))
        }
      }
    }
  }

  @MainActor
  private final class Run {
    let ledger = ActivityLedger()
    let clock = VirtualClock()
    let folder = FileManager.default.temporaryDirectory.path + "/qwinkle-filters-\(UUID().uuidString)"
    let server: Server
    let transport: ScriptedTransport
    let cache: TimelineCache
    let account: Account

    init(_ filters: [ContentFilter]) throws {
      let server = Server(filters)
      let transport = ScriptedTransport { server.answer($0) }
      (self.server, self.transport) = (server, transport)
      cache = try TimelineCache(directory: folder, ledger: ledger)
      account = Account(
        service: DownloadService(
          configuration: .init(serverURL: "https://tilde.example", token: "t"), ledger: ledger,
          transport: { transport }), cache: cache, outgoing: nil, clock: clock, isSignedIn: true)
    }

    isolated deinit {
      cache.close()
      try? FileManager.default.removeItem(atPath: folder)
    }

    var filterIDs: [String] { server.filters.withLock { $0.map(\.id.rawValue) } }

    /// Method, path and body of the requests that change filters.
    var changes: [String] {
      transport.requests.filter { $0.head.method != .get }.map {
        "\($0.head.method.rawValue) \($0.head.path ?? "") \(String(decoding: $0.body, as: UTF8.self))"
      }
    }

    /// Caches three posts, of which only 3 and 1 have the hashtag, and loads them.
    func load(matching filter: ContentFilter? = nil) async {
      let items = [3, 2, 1].map { number in
        var qwink = Qwink.sample(
          id: Qwink.ID("\(number)"), text: "Qwink \(number)\(number == 2 ? "" : " #garden")")
        qwink.filterMatches = filter?.match(of: qwink).map { [$0] } ?? []
        return qwink
      }
      _ = account.timelines.timeline(.public)
      account.timelines.take(Page(items: items), at: .newest, into: .public) { _ in }
      await ledger.settleWithMainQueue()
    }

    func muteTag(isOn: Bool? = nil, seconds: Int? = nil) async {
      account.muteTag("garden", isOn: isOn, seconds: seconds) { _ in }
      await ledger.settleWithMainQueue()
    }

    func undo() async {
      _ = account.undo()
      await ledger.settleWithMainQueue()
    }

    /// Ids of the matching filters by post: in memory, then in the cache.
    func matches() -> (loaded: [String: [String]], cached: [String: [String]]) {
      func ids(_ qwinks: [Qwink]) -> [String: [String]] {
        Dictionary(uniqueKeysWithValues: qwinks.map { ($0.id.rawValue, $0.filterMatches.map(\.id)) })
      }
      cache.flush()
      return (
        ids(account.timelines.timeline(.public).rows.compactMap(\.qwink)),
        ids(cache.load(.public, limit: 9).rows.compactMap(\.qwink))
      )
    }
  }

  private func mute(until end: Date? = nil) -> ContentFilter {
    var mute = ContentFilter.muting(tag: "garden")
    (mute.id, mute.expiresAt) = ("9", end)
    return mute
  }

  // MARK: Undo

  @Test func `undoing an unmute mutes the hashtag for the time that was left`() async throws {
    let run = try Run([])
    run.server.filters.withLock { $0 = [mute(until: run.clock.now.addingTimeInterval(7 * 86400))] }
    await run.muteTag()
    #expect(run.filterIDs.isEmpty && run.changes.map { $0.prefix(6) } == ["DELETE"])
    run.clock.advance(by: .seconds(86400))
    await run.undo()
    let body = run.changes.last ?? ""
    #expect(run.filterIDs == ["new"] && body.contains("\"expires_in\":518400"), "\(body)")
  }

  @Test func `undoing an unmute of a permanently muted hashtag mutes it permanently`() async throws {
    let run = try Run([mute()])
    await run.muteTag()
    await run.undo()
    let body = run.changes.last ?? ""
    #expect(run.filterIDs == ["new"] && body.contains("#garden") && !body.contains("expires_in"), "\(body)")
  }

  @Test func `undoing a new duration restores the former duration`() async throws {
    let run = try Run([])
    run.server.filters.withLock { $0 = [mute(until: run.clock.now.addingTimeInterval(7 * 86400))] }
    await run.muteTag(isOn: true, seconds: 3600)
    await run.undo()
    #expect(run.filterIDs == ["9"] && run.changes.map { $0.prefix(3) } == ["PUT", "PUT"], "\(run.changes)")
    #expect(run.changes.last?.contains("\"expires_in\":604800") == true, "\(run.changes)")
  }

  @Test func `undoing the duration of a permanent mute makes it permanent again`() async throws {
    let run = try Run([mute()])
    await run.muteTag(isOn: true, seconds: 3600)
    #expect(run.changes.last?.contains("\"expires_in\":3600") == true, "\(run.changes)")
    await run.undo()
    #expect(run.filterIDs == ["new"], "\(run.changes)")
    let created = run.changes.first { $0.hasPrefix("POST") } ?? ""
    #expect(created.contains("#garden") && !created.contains("expires_in"), "\(created)")
    let next = run.account.undo()?.sentence
    #expect(next == nil, "the undo is not an action itself")
  }

  @Test func `undoing a new mute deletes it`() async throws {
    let run = try Run([])
    await run.muteTag()
    #expect(run.filterIDs == ["new"])
    await run.undo()
    #expect(run.filterIDs.isEmpty, "\(run.changes)")
  }

  @Test func `a post removed from a filter stays filtered by the filter's keywords`() async throws {
    let filter = ContentFilter(id: "9", title: "Numbers", keywords: [.init(text: "Qwink 2")])
    let run = try Run([filter])
    await run.load(matching: filter)
    let qwink = try #require(run.account.timelines.known("2"))
    run.account.filter(qwink, by: "Numbers") { _ in }
    await run.ledger.settleWithMainQueue()
    #expect(run.account.timelines.known("2")?.filterMatches.first?.statuses == ["2"])
    await run.undo()
    #expect(run.changes.last?.hasPrefix("DELETE /api/v2/filters/statuses/91") == true, "\(run.changes)")
    let match = run.account.timelines.known("2")?.filterMatches
    #expect(match?.map(\.keywords) == [["Qwink 2"]] && match?.first?.statuses == [], "\(String(describing: match))")
  }

  // MARK: Cache

  @Test func `a muted hashtag is saved in the cached posts, and its undo removes it`() async throws {
    let run = try Run([])
    await run.load()
    await run.muteTag()
    let muted = run.matches()
    #expect(muted.loaded == ["3": ["new"], "2": [], "1": ["new"]] && muted.cached == muted.loaded, "\(muted)")
    await run.undo()
    let unmuted = run.matches()
    #expect(unmuted.loaded == ["3": [], "2": [], "1": []] && unmuted.cached == unmuted.loaded, "\(unmuted)")
  }

  @Test func `a filtered post is saved in the cache, and its undo removes it`() async throws {
    let run = try Run([ContentFilter(id: "9", title: "Numbers", hides: true, keywords: [.init(text: "kiosk")])])
    await run.load()
    let qwink = try #require(run.account.timelines.known("2"))
    run.account.filter(qwink, by: "Numbers") { _ in }
    await run.ledger.settleWithMainQueue()
    let filtered = run.matches()
    #expect(filtered.loaded == ["3": [], "2": ["9"], "1": []] && filtered.cached == filtered.loaded, "\(filtered)")
    await run.undo()
    let restored = run.matches()
    #expect(restored.loaded == ["3": [], "2": [], "1": []] && restored.cached == restored.loaded, "\(restored)")
  }
}
