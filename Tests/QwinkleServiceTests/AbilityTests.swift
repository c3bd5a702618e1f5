import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// Missing features are detected from responses, never from a version.
@MainActor
@Suite(.bounded) struct AbilityTests {
  @Test(arguments: [404, 405, 501])
  func `an unknown endpoint is reported as a missing feature`(status: Int) async throws {
    let error = await Self.error(of: .lists, status: status)
    #expect(error == .unsupported(host: "tilde.example", .lists))
    #expect(error?.sentence == "tilde.example does not support lists.")
  }

  @Test(arguments: [401, 403, 429, 500, 503])
  func `other errors are not reported as a missing feature`(status: Int) async throws {
    if case .unsupported = await Self.error(of: .lists, status: status) { Issue.record("\(status)") }
  }

  /// Lists that a server may lack although it supports the actions that fill them.
  nonisolated private static let lists: [(AnyRequest, Ability, String)] = [
    (AnyRequest(.qwinkers(.blocked, limit: 40)), .blocks, "support listing blocked users."),
    (AnyRequest(.qwinkers(.muted, limit: 40)), .mutes, "support listing muted users."),
    (AnyRequest(.blockedDomains(limit: 40)), .serverBlocks, "support listing blocked servers."),
  ]

  @Test(arguments: lists.indices, [404, 405, 501])
  func `a missing list does not make its actions unsupported`(index: Int, status: Int) async throws {
    let (request, ability, words) = Self.lists[index]
    let bench = Bench(ScriptedTransport { _ in .text("<h1>404</h1>", status: status) }, token: "t")
    await request.run(bench)
    let error = try #require(bench.delegate.errors.first)
    #expect(error.sentence == "tilde.example does not \(words)")
    #expect(error != .unsupported(host: "tilde.example", ability))
  }

  @Test func `a missing list id is not reported as a missing feature`() async throws {
    let error = await Self.error(of: .changeList(PersonalList(id: "7", title: "Kiosks")), status: 404)
    #expect(error == .notFound(host: "tilde.example", message: "Not Found"))
  }

  private static func error<Answer>(of request: Request<Answer>, status: Int) async -> DownloadError? {
    let bench = Bench(ScriptedTransport { _ in .json(WireEncoder.error("Not Found"), status: status) }, token: "t")
    await bench.run(request)
    return bench.delegate.errors.first
  }
}
