import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp
@testable import QwinkleScreens

/// The first start on an account over a slow link: the requests, their order, and their sizes.
@MainActor
@Suite(.bounded) struct FirstFetchTests {
  /// Paths of the sections' pages.
  private enum Path {
    static let home = "/api/v1/timelines/home"
    static let `public` = "/api/v1/timelines/public"
    static let messages = "/api/v1/conversations"
    static let notifications = "/api/v1/notifications"
    static let bookmarks = "/api/v1/bookmarks"
    static let server = "/api/v2/instance"
    static let profile = "/api/v1/accounts/verify_credentials"
    static let ownFace = "/faces/mara-own.png"
  }

  nonisolated private static let faceBytes = 700

  @MainActor
  private struct World {
    let screen: Screen
    let link: SlowLink

    var paths: [String] { link.responses.map(\.path) }

    /// The lines that the first fetch has logged, without their times.
    var log: [String] {
      FileLog.flush()
      let path = URL(fileURLWithPath: screen.folder.path).deletingLastPathComponent().appending(path: "log").path
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").compactMap { line in
        line.firstRange(of: "first fetch ").map { String(line[$0.lowerBound...]) }
      }
    }

    /// Sends all responses.
    func finish() async {
      link.open()
      await screen.settle()
    }

    /// Sends the responses of lists, but no avatars, until the first fetch requests avatars.
    func passLists() async throws {
      try await screen.wait(for: "the avatars") {
        link.letThrough { !FirstFetchTests.isFace($0) }
        return screen.status.contains("avatars") && link.pending.contains(where: FirstFetchTests.isFace)
      }
    }
  }

  nonisolated private static func isFace(_ path: String) -> Bool { path.hasPrefix("/faces/") }

  private static func face(_ name: String) -> Qwinker {
    var qwinker = Qwinker.sample(name)
    qwinker.avatarURL = "https://\(ScriptedTimeline.host)/faces/\(name)-own.png"
    return qwinker
  }

  private static func qwink(_ number: Int, by name: String) -> Qwink {
    var qwink = ScriptedTimeline.qwink(number)
    qwink.author = face(name)
    return qwink
  }

  private func world(in folder: TemporaryFolder = TemporaryFolder()) throws -> World {
    let server = ScriptedTimeline()
    server.add(zip(31...36, ["alice", "bob", "carol", "dana", "erin", "alice"]).map(Self.qwink), to: "home")
    server.add([Self.qwink(21, by: "zoe"), Self.qwink(22, by: "bob")])
    let kept = WireEncoder.qwinks([Self.qwink(11, by: "kim")])
    server.setAnswer(kept, of: Path.bookmarks)
    let me = WireEncoder.qwinker(Self.face("mara"), ownNote: "")
    server.handle(.get, Path.profile) { _ in .json(me) }
    server.answerFirst { request in
      guard Self.isFace(request.head.path ?? "") else { return nil }
      return TransportResponse(
        head: HTTPResponse(status: .ok, headerFields: [.contentType: "image/png"]),
        body: [UInt8](repeating: 7, count: Self.faceBytes))
    }
    let link = SlowLink()
    return World(screen: try Screen(server, in: folder, through: link), link: link)
  }

  /// Returns the index of the first response for each path. Records an issue if one is missing.
  private func places(_ wanted: [String], in paths: [String]) -> [Int] {
    wanted.map { path in
      let place = paths.firstIndex(of: path)
      #expect(place != nil, "\(path) is missing: \(paths)")
      return place ?? -1
    }
  }

  @Test func `the first screen is fetched before the other sections, which follow in order`() async throws {
    let world = try world()
    await world.finish()
    let order = places(
      [
        Path.home, Path.ownFace, Path.public, "/faces/zoe-own.png", Path.messages, Path.notifications, Path.bookmarks,
        "/faces/kim-own.png",
      ], in: world.paths)
    #expect(order == order.sorted(), "\(world.paths)")
    let avatars = try #require(world.paths.firstIndex(where: Self.isFace))
    #expect(places([Path.server, Path.profile], in: world.paths).allSatisfy { $0 < avatars })
    let faces = ["mara", "alice", "bob", "carol", "dana", "erin", "zoe", "kim"].map { "/faces/\($0)-own.png" }
    // Each avatar is fetched once, although several rows and sections show it.
    #expect(world.paths.filter(Self.isFace).sorted() == faces.sorted())
    #expect(world.screen.main.firstFetch == nil)
  }

  @Test func `the log lists what was fetched, with the bytes of each`() async throws {
    let world = try world()
    await world.finish()
    let answers = world.link.responses.filter { $0.status == 200 }
    let wanted = answers.map { answer in
      let path = Self.isFace(answer.path) ? "https://\(ScriptedTimeline.host)\(answer.path)" : answer.path
      return "\(path), \(answer.byteCount) bytes"
    }
    let lines = world.log
    let logged = lines.compactMap { $0.firstMatch(of: #/^first fetch \d+: (.+)$/#).map { String($0.output.1) } }
    #expect(logged.sorted() == wanted.sorted())
    #expect(logged.contains("https://\(ScriptedTimeline.host)\(Path.ownFace), \(Self.faceBytes) bytes"))
    let bytes = answers.reduce(0) { $0 + $1.byteCount }
    #expect(lines.last == FirstFetchWords.end(count: answers.count, byteCount: bytes, .done))
  }

  @Test func `keys move the selection while all but the first page is pending`() async throws {
    let world = try world()
    try await world.screen.wait(for: "the request for Home") { world.link.pending.contains(Path.home) }
    world.link.letThrough { $0 == Path.home }
    try await world.screen.wait(for: "the list") { world.screen.selected == 31 }
    world.screen.strike("j")
    try await world.screen.wait(for: "the next row") { world.screen.selected == 32 }
    world.screen.strike("k")
    try await world.screen.wait(for: "the former row") { world.screen.selected == 31 }
    #expect(world.paths == [Path.home])
    #expect(!world.link.pending.isEmpty && !world.link.pending.contains(where: Self.isFace))
    await world.finish()
  }

  @Test func `the status bar counts the avatars`() async throws {
    let world = try world()
    try await world.passLists()
    let none = FirstFetchWords.avatars(0, of: 6, byteCount: 0)
    try await world.screen.wait(for: "the progress") { world.screen.status.contains(none) }
    let face = try #require(world.link.pending.first(where: Self.isFace))
    world.link.letThrough { $0 == face }
    let one = FirstFetchWords.avatars(1, of: 6, byteCount: Self.faceBytes)
    try await world.screen.wait(for: "one avatar") { world.screen.status.contains(one) }
    // The other sections wait for the avatars of the first.
    #expect(!world.paths.contains(Path.public) && !world.link.pending.contains(Path.public))
    await world.finish()
    #expect(!world.screen.status.contains("avatars"))
  }

  @Test func `the avatars pause while the reader refreshes the list`() async throws {
    let world = try world()
    try await world.passLists()
    world.screen.strike("R")
    // Avatars of visible rows go on.
    try await world.screen.wait(for: "the page, without avatars in advance") {
      world.link.pending.contains(Path.home) && !world.screen.status.contains("avatars")
    }
    world.link.letThrough { !Self.isFace($0) }
    try await world.passLists()
    await world.finish()
    #expect(world.paths.contains(Path.ownFace) && world.paths.contains(Path.bookmarks))
  }

  @Test func `^C ends the fetch`() async throws {
    let world = try world()
    try await world.passLists()
    world.screen.strike("^C")
    try await world.screen.wait(for: "the end") { world.screen.main.firstFetch == nil }
    await world.finish()
    #expect(world.log.last?.hasSuffix("bytes") == true && world.log.last?.contains("stopped by the user") == true)
    #expect(!world.paths.contains(Path.bookmarks))
  }

  @Test func `a metered connection loads no picture and no other timeline`() async throws {
    let folder = TemporaryFolder()
    try folder.write(config: "metered = true\n")
    let world = try world(in: folder)
    await world.finish()
    let order = places([Path.home, Path.messages, Path.notifications], in: world.paths)
    #expect(order == order.sorted())
    #expect(!world.paths.contains { Self.isFace($0) || $0 == Path.public || $0 == Path.bookmarks })
  }

  @Test func `without pictures only the lists are fetched`() async throws {
    let folder = TemporaryFolder()
    try folder.write(config: "pictures = \"off\"\n")
    let world = try world(in: folder)
    await world.finish()
    _ = places([Path.public, Path.bookmarks], in: world.paths)
    #expect(!world.paths.contains(where: Self.isFace))
  }

  @Test func `an unreachable server ends the fetch, and the lists are polled as usual`() async throws {
    let world = try world()
    world.screen.server.setReachable(false)
    await world.finish()
    #expect(world.screen.main.firstFetch == nil)
    #expect(world.log.last == FirstFetchWords.end(count: 0, byteCount: 0, .offline))
    #expect(world.screen.server.paths.contains { $0.hasPrefix(Path.messages) })
    #expect(!world.screen.server.paths.contains { $0.hasPrefix(Path.bookmarks) })
  }

  @Test func `the second start fetches nothing in advance`() async throws {
    let folder = TemporaryFolder()
    let first = try world(in: folder)
    await first.finish()
    first.screen.close()
    let second = try world(in: folder)
    await second.finish()
    _ = places([Path.home, Path.messages], in: second.paths)
    #expect(!second.paths.contains { $0 == Path.bookmarks || $0 == Path.public || Self.isFace($0) })
  }
}
