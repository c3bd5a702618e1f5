import QwinkleModel
import QwinkleService
import QwinkleTesting

/// Returns a scripted response to a request.
typealias ServerScript = @Sendable (ScriptedServer.Request) -> Script

/// Sends requests one after another. Returns the bench with its answers and errors, and the requests received.
@MainActor
func ask(
  _ script: @escaping ServerScript, _ requests: AnyRequest...
) async throws -> (bench: Bench, sent: [ScriptedServer.Request]) {
  try await ask(script, requests)
}

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

/// Fetches all pages of a list. Returns them and the requests received.
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
