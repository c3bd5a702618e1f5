import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle translate ID`: prints a post in another language.
struct TranslateCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "translate", abstract: "Print a public post, translated by the server.")

  @OptionGroup var subject: QwinkArgument

  @Option(
    help: ArgumentHelp("The language, such as en; by default the language of your account.", valueName: "language"))
  var to: String?

  @Flag(help: "Print JSON: the API's Translation.")
  var json = false

  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  func validate() throws { try TranslateOption.check(to, option: "--to") }

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Translating", isPaged: true) { server, clock in
      let qwink = try await subject.find(on: server)
      let translations = await PlainTranslations.of([qwink], into: to, from: server)
      guard let shown = translations[qwink] else { return try translations.check() }
      if json { return StandardOutput.print(json: shown.sent.json) }
      let style = PlainStyle(clock, reveals: reveal.reveal)
      StandardOutput.print(PlainQwink.text(shown.qwink, in: nil, translation: shown.sent.answer, style))
    }
  }
}

/// The option that translates the printed posts.
struct TranslateOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("Translate public posts in other languages into this one, such as en.", valueName: "language"))
  var translate: String?

  func validate() throws { try Self.check(translate, option: "--translate") }

  static func check(_ language: String?, option: String) throws {
    if let language, !LanguageCode.isCode(language) {
      throw ValidationError("\(option) must be a language code such as en or pt-BR, not “\(language)”.")
    }
  }

  /// Returns the translations of the public posts in other languages, or none without the option.
  @MainActor
  func translations(of qwinks: [Qwink], from server: AccountConnection) async -> PlainTranslations {
    guard let translate else { return PlainTranslations() }
    let others = qwinks.filter { [.public, .unlisted].contains($0.visibility) && $0.language != translate }
    return await PlainTranslations.of(others, into: translate, from: server)
  }
}

/// Translations of printed posts.
struct PlainTranslations {
  /// A translated post, and the translation as the server sent it.
  struct Shown {
    let qwink: Qwink
    let sent: Sourced<Translation>
  }

  private var all: [Qwink.ID: Shown] = [:]
  /// The reason why posts are missing, if a request failed.
  private var failure: DownloadError?

  var isEmpty: Bool { all.isEmpty }

  subscript(qwink: Qwink) -> Shown? { all[qwink.originalID] }

  /// Fetches the translations of posts, in one request each. Stops at the first failure, because the next request would
  /// probably fail too.
  @MainActor
  static func of(_ qwinks: [Qwink], into language: String?, from server: AccountConnection) async -> PlainTranslations {
    var translations = PlainTranslations()
    guard !qwinks.isEmpty else { return translations }
    do throws(DownloadError) {
      let filters = try await server.filterMatcher()
      for qwink in qwinks where translations[qwink] == nil {
        let sent = try await server.translation(of: qwink, into: language)
        var translated = qwink.translated(by: sent.answer)
        translated.filterMatches.add(filters.matches(inTranslated: translated))
        translations.all[qwink.originalID] = Shown(qwink: translated, sent: sent)
      }
    } catch {
      translations.failure = error
    }
    return translations
  }

  /// Returns the text of a post, translated if it has a translation.
  func text(_ qwink: Qwink, in place: FilterPlace?, _ style: PlainStyle) -> String {
    guard let shown = all[qwink.originalID] else { return PlainQwink.text(qwink, in: place, style) }
    // A post can be in the list more than once, for example with another booster.
    var row = shown.qwink
    (row.id, row.booster, row.boostedAt) = (qwink.id, qwink.booster, qwink.boostedAt)
    return PlainQwink.text(row, in: place, translation: shown.sent.answer, style)
  }

  /// Returns the JSON of a status with the member `translation`, if it has a translation.
  func json(of entry: SentItem<Qwink>) -> SentItem<Qwink> {
    guard let shown = all[entry.item.originalID] else { return entry }
    let status = SentJSON.object(entry) { WireEncoder.qwink($0) }
    let member = (name: "translation", value: JSONParts.readable(shown.sent.json))
    guard let original = JSONParts.member("reblog", of: status), original.first == UInt8(ascii: "{") else {
      return (entry.item, JSONParts.object(status, setting: [member]))
    }
    return (entry.item, JSONParts.object(status, setting: [("reblog", JSONParts.object(original, setting: [member]))]))
  }

  /// Reports a failure of the first request. Call before posts are printed: the server probably translates none.
  func checkStart() throws { if all.isEmpty { try check() } }

  /// Reports the failure, if any. Call after the posts have been printed.
  func check() throws {
    if let failure { throw AppError.failed(failure.sentence) }
  }
}
