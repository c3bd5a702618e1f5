import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// What a server can't do is told as that, and never guessed from a version.
@MainActor
@Suite(.bounded) struct AbilityTests {
  @Test(arguments: [404, 405, 501])
  func `an unknown call is a missing ability`(status: Int) async throws {
    let error = await Self.error(of: .lists, status: status)
    #expect(error == .unsupported(host: "tilde.example", .lists))
    #expect(error?.sentence == "tilde.example has no lists.")
  }

  @Test(arguments: [401, 403, 429, 500, 503])
  func `any other error is none`(status: Int) async throws {
    if case .unsupported = await Self.error(of: .lists, status: status) { Issue.record("\(status)") }
  }

  /// Lists that a server may lack though it can do what fills them.
  nonisolated private static let lists: [(AnyRequest, Ability, String)] = [
    (AnyRequest(.qwinkers(.blocked, limit: 40)), .blocks, "no list of the people you block."),
    (AnyRequest(.qwinkers(.muted, limit: 40)), .mutes, "no list of the people you mute."),
    (AnyRequest(.blockedDomains(limit: 40)), .serverBlocks, "no list of the servers you block."),
  ]

  @Test(arguments: lists.indices, [404, 405, 501])
  func `a missing list says nothing of what fills it`(index: Int, status: Int) async throws {
    let (request, ability, words) = Self.lists[index]
    let bench = Bench(ScriptedTransport { _ in .text("<h1>404</h1>", status: status) }, token: "t")
    await request.run(bench)
    let error = try #require(bench.delegate.errors.first)
    #expect(error.sentence == "tilde.example has \(words)")
    #expect(error != .unsupported(host: "tilde.example", ability))
  }

  @Test func `what is not found by its id says nothing of the server`() async throws {
    let error = await Self.error(of: .changeList(PersonalList(id: "7", title: "Kiosks")), status: 404)
    #expect(error == .notFound(host: "tilde.example", message: "Not Found"))
  }

  private static func error<Answer>(of request: Request<Answer>, status: Int) async -> DownloadError? {
    let bench = Bench(ScriptedTransport { _ in .json(WireEncoder.error("Not Found"), status: status) }, token: "t")
    await bench.run(request)
    return bench.delegate.errors.first
  }
}
