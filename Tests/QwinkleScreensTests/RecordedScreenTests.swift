import HTTPTypes
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// Recorded Mastodon features that the embedded server lacks, on the screen.
@MainActor
@Suite(.bounded) struct RecordedScreenTests {
  private static let mastodon = RecordedAnswers(of: "mastodon")

  /// Returns a recorded qwink, and a screen that shows it as the only row of the public timeline.
  private func timeline(of file: String) async throws -> (qwink: Qwink, screen: Screen) {
    let body = Self.mastodon.body(file)
    let qwink = try WireDecoder.qwink(from: body)
    let server = ScriptedTimeline()
    server.handle(.get, "/api/v1/timelines/public") { _ in .json([UInt8(ascii: "[")] + body + [UInt8(ascii: "]")]) }
    return (qwink, try await Screen.settled(server, columns: 100))
  }

  @Test(.needsRecordings) func `a recorded link preview is shown with its title`() async throws {
    let (qwink, screen) = try await timeline(of: "GET_statuses_ID__cassettes__test_status_card__01")
    let title = try #require(qwink.card?.title)
    #expect(!title.isEmpty && screen.text.contains(" · \(title.prefix(30))"), "\(screen.text)")
    await screen.press("Enter")
    #expect(screen.text.contains("↗ \(title)"), "\(screen.text)")
  }

  @Test(.needsRecordings) func `a recorded quote shows the quoted author`() async throws {
    let (qwink, screen) = try await timeline(of: "GET_statuses_ID__cassettes_entity_tests__test_entity_quote__00")
    let author = try #require(qwink.quote?.author)
    #expect(screen.text.contains("❝ @\(author.handle)"), "\(screen.text)")
  }

  @Test(.needsRecordings) func `a recorded custom emoji is shown by its name`() async throws {
    let file = "GET_statuses_ID__cassettes_entity_tests__test_entity_customemoji__00"
    let (qwink, screen) = try await timeline(of: file)
    // The qwink has a content warning.
    await screen.press("Enter", "z")
    let words = qwink.text.plainText.split(whereSeparator: \.isWhitespace)
    let name = words.first { $0.count > 2 && $0.hasPrefix(":") && $0.hasSuffix(":") }
    #expect(screen.text.contains(try #require(name)), "\(screen.text)")
  }

  @Test(.needsRecordings) func `recorded trending hashtags are listed`() async throws {
    let body = Self.mastodon.body("GET_trends_tags__cassettes_entity_tests__test_entity_tag__02")
    let tags = try WireDecoder.tags(from: body, link: nil).items
    let server = ScriptedTimeline([1])
    server.api.answer("GET /api/v1/trends/tags") { _ in .json(body) }
    let screen = try await Screen.settled(server, rows: 60, columns: 100, hidesMessages: true)
    await screen.press(":")
    screen.type("trends")
    await screen.press("Enter")
    #expect(!tags.isEmpty && tags.allSatisfy { screen.text.contains("#\($0.name)") }, "\(screen.text)")
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test if Mastodon's recordings are missing, as the repository may not contain them.
  fileprivate static var needsRecordings: Self {
    .enabled(if: RecordedAnswers(of: "mastodon").isHere, "the recordings of Mastodon are missing")
  }
}
