import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

/// A refusal may be about the token, or about one object: the server is asked whose the token is.
@MainActor
@Suite(.bounded) struct CredentialCheckTests {
  nonisolated private static let check = "/api/v1/accounts/verify_credentials"

  /// Sends requests to a server that answers `status` to all, and `verdict` to the question whose the token is. Returns
  /// the errors, and how often the server was asked that.
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
  func `a refusal means what the answer to the token says, and itself where that says nothing`(
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
  func `the refused question itself is not repeated`(status: Int) async {
    let heard = await errors(200, verdict: status, AnyRequest(.ownAccount), AnyRequest(.ownProfile))
    #expect(heard.errors.map(kind) == ["signInExpired", "signInExpired"] && heard.checks == 2, "\(heard)")
  }

  @Test(arguments: [400, 401, 422])
  func `who is signed out has no token to ask about`(status: Int) async {
    let heard = await errors(status, verdict: 200, token: nil, AnyRequest(.publicTimeline))
    #expect(heard.errors.map(kind) == [status == 401 ? "needsAuthentication" : "rejected"] && heard.checks == 0)
  }

  @Test func `a refused token is asked about once until an answer comes`() async {
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
