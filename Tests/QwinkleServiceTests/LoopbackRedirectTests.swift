import Foundation
import FoundationNetworking
import QwinkleService
import TerminalTesting
import Testing

/// The browser's redirect after sign-in, on a real socket.
@Suite(.bounded) struct LoopbackRedirectTests {
  private func get(_ url: String) async throws -> (status: Int, text: String) {
    let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: url)))
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
  }

  @Test func `the browser gets a confirmation and the redirect address is returned`() async throws {
    let redirect = try #require(await LoopbackRedirect.open())
    #expect(redirect.uri.hasPrefix("http://127.0.0.1:"))
    let answer = try await get("\(redirect.uri)?code=abc&state=s")
    #expect(answer.status == 200)
    #expect(answer.text.contains("Back to your terminal"))
    #expect(await redirect.address() == "\(redirect.uri)?code=abc&state=s")
    await redirect.close()
  }

  @Test func `a request without the right path and query is rejected and changes nothing`() async throws {
    let redirect = try #require(await LoopbackRedirect.open())
    let root = redirect.uri.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    for path in ["/", "/favicon.ico", "/?code=evil", "/x?code=evil"] {
      #expect(try await get(root + path).status == 404)
    }
    #expect(try await get(redirect.uri).status == 404)
    _ = try await get("\(redirect.uri)?code=mine")
    #expect(await redirect.address() == "\(redirect.uri)?code=mine")
    await redirect.close()
  }

  @Test func `a closed redirect no longer listens`() async throws {
    let redirect = try #require(await LoopbackRedirect.open())
    await redirect.close()
    // Another server may use the port by now, but sends a different page.
    let late = try? await get("\(redirect.uri)?code=late")
    #expect(late?.text.contains("Back to your terminal") != true)
    let waiting = Task { await redirect.address() }
    waiting.cancel()
    #expect(await waiting.value == nil)
  }
}
