import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

/// A refusal may concern the token or a single object. The client therefore asks the server which account the token
/// belongs to.
@MainActor
@Suite(.bounded) struct CredentialCheckTests {
  nonisolated private static let check = "/api/v1/accounts/verify_credentials"

  /// Sends requests to a server that answers token checks with `verdict` and all other requests with `status`. Returns
  /// the errors and the number of token checks.
  private func errors(
    _ status: Int, verdict: Int, token: String? = "t", _ requests: AnyRequest...
  ) async -> (errors: [DownloadError], checks: Int) {
    let transport = ScriptedTransport { request in
      guard request.head.path == Self.check else { return .text("No", status: status) }
      return verdict == 200
        ? .json(WireEncoder.qwinker(.sample("mara"), ownNote: "")) : .text("Invalid Bearer token", status: verdict)
    }
    let bench = Bench(transport, token: token)
    for request in requests { await request.run(bench) }
    return (bench.delegate.errors, transport.requests.count { $0.head.path == Self.check })
  }

  /// The name of the error's case.
  private func kind(_ error: DownloadError) -> String { String("\(error)".prefix { $0 != "(" }) }

  @Test(arguments: [401, 400, 422], [200, 401, 400, 422, 403, 404, 429, 500, 503])
  func `a refusal is classified by the token check or by its own status if the check is inconclusive`(
    status: Int, verdict: Int
  ) async {
    let expected =
      switch (status, verdict) {
      case (_, 400), (_, 401), (_, 422): "signInExpired"
      case (401, 200): "forbidden"
      case (401, _): "signInExpired"
      default: "rejected"
      }
    for request in [AnyRequest(.delete("7")), AnyRequest(.timeline(.home, limit: 40)), AnyRequest(.post(.sample()))] {
      let heard = await errors(status, verdict: verdict, request)
      #expect(heard.errors.map(kind) == [expected] && heard.checks == 1, "\(heard)")
    }
  }

  @Test(arguments: [400, 401, 422])
  func `a refused account request is not followed by a token check`(status: Int) async {
    let heard = await errors(200, verdict: status, AnyRequest(.ownAccount), AnyRequest(.ownProfile))
    #expect(heard.errors.map(kind) == ["signInExpired", "signInExpired"] && heard.checks == 2, "\(heard)")
  }

  @Test(arguments: [400, 401, 422])
  func `a signed-out request causes no token check`(status: Int) async {
    let heard = await errors(status, verdict: 200, token: nil, AnyRequest(.publicTimeline))
    #expect(heard.errors.map(kind) == [status == 401 ? "needsAuthentication" : "rejected"] && heard.checks == 0)
  }

  @Test func `a refused token is checked once until a request succeeds`() async {
    let isRefused = Mutex(true)
    let transport = ScriptedTransport { _ in
      isRefused.withLock { $0 } ? .text("Invalid Bearer token", status: 400) : .json(pageBody("1"))
    }
    let bench = Bench(transport, token: "t")
    func checks() -> Int { transport.requests.count { $0.head.path == Self.check } }
    for _ in 1...3 { await bench.run(.publicTimeline) }
    #expect(bench.delegate.errors.map(kind) == Array(repeating: "signInExpired", count: 3) && checks() == 1)
    isRefused.withLock { $0 = false }
    await bench.run(.publicTimeline)
    isRefused.withLock { $0 = true }
    await bench.run(.publicTimeline)
    #expect(bench.delegate.errors.count == 4 && checks() == 2)
  }
}
