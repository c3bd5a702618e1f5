import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@MainActor
@Suite(.bounded) struct RedirectTests {
  private func redirect(to url: String, status: Int = 302) -> TransportResponse {
    .text("", status: status, fields: [.location: url])
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect on the same server is followed with credentials and without asking`(status: Int) async {
    let transport = ScriptedTransport { request in
      request.head.path == "/moved?x=1"
        ? .json(pageBody("1")) : .text("", status: status, fields: [.location: "/moved?x=1"])
    }
    let bench = Bench(transport, token: "secret")
    let identifier = await bench.run(.publicTimeline)
    #expect(bench.delegate.wordsButProgress(for: identifier) == ["started", "redirected", "downloaded", "finished"])
    #expect(transport.requests.map { $0.field("Authorization") } == ["Bearer secret", "Bearer secret"])
  }

  @Test func `a redirect to another origin needs consent and drops the token for good`() async {
    let transport = ScriptedTransport { request in
      switch request.url {
      case "https://other.example:444/a": .text("", status: 302, fields: [.location: "https://tilde.example/back"])
      case "https://tilde.example/back": .json(pageBody("1"))
      default: .text("", status: 302, fields: [.location: "https://other.example:444/a"])
      }
    }
    let bench = Bench(transport, token: "secret")
    let identifier = await bench.run(.publicTimeline)
    #expect(
      bench.delegate.wordsButProgress(for: identifier)
        == ["started", "asked", "redirected", "asked", "redirected", "downloaded", "finished"])
    #expect(transport.requests.map { $0.field("Authorization") } == ["Bearer secret", nil, nil])
    #expect(transport.requests.allSatisfy { $0.field("User-Agent") != nil })
  }

  @Test func `a redirect is followed only for the delegate that allows it`() async {
    let transport = ScriptedTransport { request in
      request.head.authority == "other.example"
        ? .json(pageBody("1")) : .text("", status: 302, fields: [.location: "https://other.example/a"])
    }
    let bench = Bench(transport)
    let refuser = DelegateRecorder()
    refuser.followsRedirects = false
    let refused = bench.service.start(.publicTimeline, delegate: refuser)
    let followed = bench.service.start(.publicTimeline, delegate: bench.delegate)
    await refuser.finished(refused)
    await bench.delegate.finished(followed)
    #expect(refuser.wordsButProgress(for: refused) == ["started", "asked", "failed", "finished"])
    #expect(refuser.errors == [.badRedirect(host: "tilde.example")])
    #expect(
      bench.delegate.wordsButProgress(for: followed) == ["started", "asked", "redirected", "downloaded", "finished"])
  }

  @Test func `a redirect that all delegates refuse is not followed`() async {
    let transport = ScriptedTransport { _ in .text("", status: 302, fields: [.location: "https://other.example/a"]) }
    let bench = Bench(transport)
    bench.delegate.followsRedirects = false
    let identifier = await bench.run(.publicTimeline)
    #expect(bench.delegate.wordsButProgress(for: identifier) == ["started", "asked", "failed", "finished"])
    #expect(transport.requests.count == 1)
  }

  @Test func `a download stops after five redirects`() async {
    let transport = ScriptedTransport { _ in .text("", status: 302, fields: [.location: "/again"]) }
    let bench = Bench(transport)
    await bench.run(.publicTimeline)
    #expect(transport.requests.count == 6)
    #expect(bench.delegate.errors == [.badRedirect(host: "tilde.example")])
  }

  @Test(arguments: ["http://tilde.example/plain", "", "ftp://tilde.example/", "mailto:x@y", "https://"])
  func `a redirect to plain http or an invalid address is refused`(location: String) async {
    let transport = ScriptedTransport { request in
      request.head.scheme == "https" ? .text("", status: 302, fields: [.location: location]) : .json(pageBody("1"))
    }
    let bench = Bench(transport)
    await bench.run(.publicTimeline)
    #expect(transport.requests.allSatisfy { $0.head.scheme == "https" })
    #expect(bench.delegate.errors == [.badRedirect(host: "tilde.example")])
  }

  @Test func `a post is never redirected`() async {
    let transport = ScriptedTransport { _ in .text("", status: 307, fields: [.location: "/elsewhere"]) }
    let bench = Bench(transport, token: "secret")
    await bench.run(.post(.sample()))
    #expect(transport.requests.count == 1)
    #expect(bench.delegate.errors == [.badRedirect(host: "tilde.example")])
  }
}
