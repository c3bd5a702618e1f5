import Testing

@testable import QwinkleScreens

/// The plan of the first fetch on an account.
@MainActor @Suite struct PrefetchOrderTests {
  private func order(
    _ sections: [Section] = Section.allCases, first: Section = .home, showsAvatars: Bool = true, isMetered: Bool = false
  ) -> PrefetchOrder {
    PrefetchOrder(sections: sections, first: first, showsAvatars: showsAvatars, isMetered: isMetered)
  }

  @Test func `the first screen precedes the other sections in the order of the header`() {
    #expect(order().initial == [.page(.home), .identity, .avatars(.home)])
    #expect(
      order().later == [
        .page(.public), .avatars(.public), .page(.messages), .avatars(.messages), .page(.notifications),
        .avatars(.notifications), .page(.bookmarks), .avatars(.bookmarks),
      ])
  }

  @Test func `the section that is shown first is not repeated`() {
    let messages = order(first: .messages)
    #expect(messages.initial == [.page(.messages), .identity, .avatars(.messages)])
    #expect(!messages.later.contains(.page(.messages)) && messages.later.first == .page(.public))
  }

  @Test func `a first section without pages needs only the identity`() {
    #expect(order(first: .search).initial == [.identity])
    #expect(order(first: .search).later.contains(.page(.home)))
  }

  @Test func `no avatar is fetched without pictures`() {
    #expect(order(showsAvatars: false).steps.allSatisfy { if case .avatars = $0 { false } else { true } })
    #expect(order(showsAvatars: false).later == [.public, .messages, .notifications, .bookmarks].map { .page($0) })
  }

  @Test func `a metered connection fetches only what is counted in the header`() {
    #expect(order(isMetered: true).initial == [.page(.home), .identity])
    #expect(order(isMetered: true).later == [.page(.messages), .page(.notifications)])
  }

  @Test func `sections that the account lacks are left out`() {
    #expect(order([.home, .notifications], showsAvatars: false).later == [.page(.notifications)])
  }
}
