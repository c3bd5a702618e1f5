import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleService

/// A profile's posts, even if the server ignores `exclude_direct`.
@MainActor
@Suite(.bounded) struct ProfileRequestTests {
  private nonisolated static let cursor = PageCursor(url: "/api/v1/accounts/7/statuses?max_id=9")

  /// Requests for a profile and its parts, and for their next pages.
  private nonisolated static let requests: [Request<Page<Qwink>>] = {
    let names = [TimelineName.qwinker("7")] + QwinkerPart.allCases.map { TimelineName.part($0, of: "7") }
    let first: [Request<Page<Qwink>>] = names.map { .timeline($0, limit: 40) } + [.pinned(by: "7", limit: 40)]
    return first + names.map { .timelinePage($0, cursor) }
  }()

  private nonisolated static let qwinks: [Qwink] = [Visibility.direct, .public, .unlisted, .private, .direct]
    .enumerated().map { index, visibility in
      var qwink = Qwink.sample(id: Qwink.ID("\(9 - index)"))
      qwink.visibility = visibility
      return qwink
    }

  private func answer(to request: Request<Page<Qwink>>) async -> (place: String?, page: Page<Qwink>?) {
    let transport = ScriptedTransport { _ in .json(WireEncoder.qwinks(Self.qwinks)) }
    let bench = Bench(transport, at: "https://tilde.example")
    await bench.run(request)
    return (transport.requests.first?.head.path, bench.delegate.answer())
  }

  @Test(arguments: requests.indices)
  func `a profile never lists direct messages`(index: Int) async {
    let (place, page) = await answer(to: Self.requests[index])
    #expect(page?.items.map(\.id.rawValue) == ["8", "7", "6"])
    #expect(page?.sources.count == 3)
    // A cursor from the server is used unchanged.
    #expect(place?.hasSuffix("exclude_direct=true") == true || place == Self.cursor.url, "\(place ?? "")")
  }

  @Test func `other timelines and the search for a lost post list direct messages`() async {
    let requests: [Request<Page<Qwink>>] = [
      .timeline(.home, limit: 40), .timelineWithDirect(.qwinker("7"), at: nil, limit: 40),
      .timelineWithDirect(.qwinker("7"), at: Self.cursor, limit: 40),
    ]
    for request in requests {
      let (place, page) = await answer(to: request)
      #expect(page?.items.count == 5)
      #expect(place?.contains("exclude_direct") == false, "\(place ?? "")")
    }
  }
}
