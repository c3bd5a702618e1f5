import FoundationEssentials
import HTTPTypes
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The key and the command that switch between a post and its translation.
@MainActor
@Suite(.bounded) struct TranslationScreenTests {
  nonisolated private static let call = "/api/v1/statuses/9/translate"

  private static func german(_ change: (inout Qwink) -> Void = { _ in }) -> Qwink {
    var qwink = Qwink.sample(id: "9", text: "Guten Morgen, Welt", author: .sample("hana"))
    qwink.language = "de"
    change(&qwink)
    return qwink
  }

  /// A server with one German post. Counts its translations and records the order of languages.
  private final class Translator: Sendable {
    private let orders = Mutex<[String]>([])
    var asked: [String] { orders.withLock { $0 } }
    let server = ScriptedTimeline()

    init(_ qwink: Qwink, _ translation: Translation, status: Int = 200) {
      server.add([qwink])
      server.handle(.get, "/api/v1/statuses/9") { _ in .json(WireEncoder.qwink(qwink)) }
      server.handle(.post, TranslationScreenTests.call) { [self] request in
        orders.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
        return status == 200
          ? .json(WireEncoder.translation(translation))
          : .json(Array(#"{"error":"No more today"}"#.utf8), status: status)
      }
    }
  }

  nonisolated private static let english = Translation(
    text: RichText(plain: "Good morning, world"), sourceLanguage: "de", provider: "Libre")

  @Test func `gt shows the translation, gt again the original, without a second request`() async throws {
    let translator = Translator(Self.german(), Self.english)
    let screen = try await Screen.settled(translator.server)
    await screen.press("g", "t")
    #expect(screen.text.contains("Good morning, world") && !screen.text.contains("Guten"), "\(screen.text)")
    #expect(screen.text.contains("Translated from German by Libre."), "\(screen.text)")
    await screen.press("g", "t")
    #expect(screen.text.contains("Guten Morgen, Welt") && !screen.text.contains("Translated"), "\(screen.text)")
    #expect(screen.status.contains(TranslationWords.original), "\(screen.status)")
    await screen.press("g", "t")
    #expect(screen.text.contains("Good morning, world"), "\(screen.text)")
    #expect(translator.asked == ["{}"])
  }

  @Test func `the command names the language and each language is requested once`() async throws {
    let translator = Translator(Self.german(), Self.english)
    let screen = try await Screen.settled(translator.server)
    for language in ["fr", "pt-BR", "fr"] { await screen.command("translate \(language)") }
    #expect(translator.asked == [#"{"lang":"fr"}"#, #"{"lang":"pt-BR"}"#])
    await screen.command("translate no language")
    #expect(screen.status.contains(TranslationWords.badLanguage), "\(screen.status)")
  }

  @Test func `the opened post shows translated warning, poll and descriptions`() async throws {
    let qwink = Self.german { qwink in
      qwink.contentWarning = "Essen"
      qwink.poll = Poll(id: "3", options: [Poll.Option(title: "Tee"), Poll.Option(title: "Kaffee")])
      qwink.attachments = [Attachment(id: "5", kind: .image, url: "https://tilde.example/5.png", altText: "Ein Boot")]
    }
    var translation = Self.english
    translation.contentWarning = "Food"
    translation.pollOptions = ["Tea", "Coffee"]
    translation.descriptions = ["5": "A boat"]
    let screen = try await Screen.settled(Translator(qwink, translation).server, rows: 40)
    await screen.press("Enter", "g", "t")
    #expect(screen.text.contains("⚠ Food") && !screen.text.contains("Good morning"), "\(screen.text)")
    await screen.press("z")
    for words in ["⚠ Food", "Good morning, world", "Tea", "Coffee", "A boat", "Translated from German by Libre."] {
      #expect(screen.text.contains(words), "\(words)\n\(screen.text)")
    }
    for words in ["Essen", "Guten", "Kaffee", "Ein Boot"] { #expect(!screen.text.contains(words), "\(words)") }
    await screen.press("v")
    #expect(screen.text.contains("A boat"), "\(screen.text)")
  }

  @Test(arguments: [Visibility.private, .direct])
  func `a post that isn't public isn't sent to a translator`(visibility: Visibility) async throws {
    let translator = Translator(Self.german { $0.visibility = visibility }, Self.english)
    let screen = try await Screen.settled(translator.server)
    await screen.press("g", "t")
    #expect(screen.status.contains(TranslationWords.notPublic), "\(screen.status)")
    await screen.command("translate fr")
    #expect(screen.status.contains(TranslationWords.notPublic), "\(screen.status)")
    #expect(translator.asked.isEmpty)
  }

  @Test func `a filter covers a translation whose original doesn't match`() async throws {
    let translator = Translator(Self.german(), Self.english)
    let filter = ContentFilter(
      id: "1", title: "Mornings", contexts: ContentFilter.Context.allCases, hides: true,
      keywords: [ContentFilter.Keyword(text: "morning", isWhole: true)])
    translator.server.handle(.get, "/api/v2/filters") { _ in .json(WireEncoder.filters([filter])) }
    let screen = try await Screen.settled(translator.server)
    await screen.press("g", "t")
    #expect(screen.text.contains("⚠ Filtered: Mornings") && !screen.text.contains("Good morning"), "\(screen.text)")
    #expect(!screen.text.contains("Guten"), "\(screen.text)")
    await screen.press("g", "t")
    #expect(screen.text.contains("Guten Morgen") && !screen.text.contains("Mornings"), "\(screen.text)")
  }

  @Test func `a translation isn't shown while the filters are unknown`() async throws {
    let translator = Translator(Self.german(), Self.english)
    translator.server.handle(.get, "/api/v2/filters") { _ in .text("", status: 500) }
    let screen = try await Screen.settled(translator.server)
    await screen.press("g", "t")
    #expect(screen.text.contains("Guten Morgen") && !screen.text.contains("Good morning"), "\(screen.text)")
  }

  @Test func `a failure shows the original and can be retried`() async throws {
    let translator = Translator(Self.german(), Self.english, status: 503)
    let screen = try await Screen.settled(translator.server)
    await screen.press("g", "t")
    #expect(screen.text.contains("Guten Morgen") && screen.status.contains("503"), "\(screen.status)")
    await screen.press("g", "t")
    #expect(translator.asked.count == 2)
    #expect(screen.account.connection.abilities.missing.isEmpty)
  }

  @Test func `an edit makes a translation outdated`() async throws {
    let translator = Translator(Self.german(), Self.english)
    let screen = try await Screen.settled(translator.server)
    await screen.press("g", "t")
    let edited = Self.german { qwink in
      qwink.text = RichText(plain: "Gute Nacht, Welt")
      qwink.editedAt = ScriptedTimeline.start
    }
    translator.server.replace(with: [edited])
    await screen.press("R")
    #expect(screen.text.contains("Gute Nacht") && !screen.text.contains("Translated from"), "\(screen.text)")
  }

  @Test func `a reaction while the translation is being fetched stays`() async throws {
    let gate = Gate()
    let qwink = Self.german()
    let server = ScriptedTimeline()
    server.add([qwink])
    server.handle(.post, Self.call) { _ in
      await gate.whenOpen()
      return .json(WireEncoder.translation(Self.english))
    }
    let screen = try await Screen.settled(server)
    screen.strike("g", "t")
    screen.strike("f")
    gate.open()
    await screen.settle()
    #expect(screen.text.contains("Good morning, world"), "\(screen.text)")
    #expect(screen.text.contains("★"), "\(screen.text)")
  }
}
