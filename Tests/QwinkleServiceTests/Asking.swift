import QwinkleModel
import QwinkleService
import QwinkleTesting

/// How a server on loopback answers.
typealias ServerScript = @Sendable (ScriptedServer.Request) -> Script

/// The answers, or errors, to requests that are sent one after another, and what the server was sent.
@MainActor
func ask(
  _ script: @escaping ServerScript, _ requests: AnyRequest...
) async throws -> (bench: Bench, sent: [ScriptedServer.Request]) {
  try await ask(script, requests)
}

/// As above.
@MainActor
func ask(
  _ script: @escaping ServerScript, _ requests: [AnyRequest]
) async throws -> (bench: Bench, sent: [ScriptedServer.Request]) {
  try await withServer(script: script) { server in
    try await withTransport { transport in
      let bench = await Bench(PatientTransport(base: transport), at: server.url, token: "t")
      for request in requests { await request.run(bench) }
      return (bench, server.requests)
    }
  }
}

/// The pages of a list from the first one to the end, and what the server was sent.
@MainActor
func allPages<Item: Sendable>(
  _ script: @escaping ServerScript, _ first: Request<Page<Item>>,
  then next: @escaping @Sendable (PageCursor) -> Request<Page<Item>>
) async throws -> (pages: [Page<Item>], sent: [ScriptedServer.Request]) {
  try await withServer(script: script) { server in
    try await withTransport { transport in
      let bench = await Bench(PatientTransport(base: transport), at: server.url, token: "t")
      var pages: [Page<Item>] = []
      var request: Request<Page<Item>>? = first
      while let asked = request, pages.count < 12 {
        await bench.run(asked)
        let answers = await bench.delegate.answers.compactMap { $0 as? Page<Item> }
        guard answers.count > pages.count, let page = answers.last else { break }
        pages.append(page)
        request = page.older.map(next)
      }
      return (pages, server.requests)
    }
  }
}

extension DelegateRecorder {
  /// All pages of qwinks, in order.
  var qwinkPages: [Page<Qwink>] { answers.compactMap { $0 as? Page<Qwink> } }
}
