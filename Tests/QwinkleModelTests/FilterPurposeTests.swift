import FoundationEssentials
import QwinkleModel
import TerminalTesting
import Testing

/// Filters that Qwinkle creates for a purpose.
@Suite(.bounded) struct FilterPurposeTests {
  private static let now = Date(timeIntervalSince1970: 1_767_225_600)

  @Test func `a filter that hides just the hashtag is its mute until it expires`() {
    var filter = ContentFilter.muting(tag: "Garden")
    #expect(filter.isMute(ofTag: "garden", at: Self.now) && !filter.isMute(ofTag: "gardens", at: Self.now))
    filter.contexts = [.home, .public]
    #expect(filter.isMute(ofTag: "garden", at: Self.now))
    filter.expiresAt = Self.now.addingTimeInterval(1)
    #expect(filter.isMute(ofTag: "garden", at: Self.now))
    filter.expiresAt = Self.now
    #expect(!filter.isMute(ofTag: "garden", at: Self.now))
  }

  @Test func `a filter with another purpose is no mute of the hashtag`() {
    let name = "#garden"
    let others = [
      ContentFilter(title: name, keywords: [.init(text: name)]),
      ContentFilter(title: name, contexts: [.home, .notifications], hides: true, keywords: [.init(text: name)]),
      ContentFilter(title: name, contexts: [.public], hides: true, keywords: [.init(text: name)]),
      ContentFilter(title: name, hides: true, keywords: [.init(text: name), .init(text: "kiosk")]),
      ContentFilter(title: name, hides: true),
      ContentFilter(title: name, hides: true, keywords: [.init(text: name)], statuses: ["1"]),
    ]
    for filter in others { #expect(!filter.isMute(ofTag: "garden", at: Self.now), "\(filter)") }
  }
}
