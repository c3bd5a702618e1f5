import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// Switching between a qwink and its translation.
extension QwinkCommand {
  static let translating = [translate]

  /// Shows the server's translation of a qwink, or the original again.
  private static let translate = QwinkCommand(.translate, refusing: refusal) { qwink, context in
    guard !context.account.translations.isShown(qwink) else {
      context.account.translations.showOriginal(of: qwink)
      context.navigator.say(TranslationWords.original, .dim)
      return
    }
    translate(qwink, into: context.account.identity.chosenLanguage, context)
  }

  /// Shows the translation of a qwink into `language`, or into the language of the user's settings on the server if it
  /// is nil. Shows the reason instead if the qwink can't be translated.
  @MainActor
  static func translate(_ qwink: Qwink, into language: String?, _ context: Context) {
    let navigator = context.navigator
    if let reason = refusal(qwink, context.account) { return navigator.say(reason, .warning) }
    let translations = context.account.translations
    translations.show(qwink, in: language) { [weak navigator] result in
      switch result {
      case .success(let translation): navigator?.say(TranslationWords.shown(translation), .new)
      case .failure(let error): if !error.isCancelled { navigator?.say(error.sentence, .error) }
      }
    }
    guard translations.isPending(qwink) else { return }
    navigator.say(TranslationWords.translating, .dim) { [weak translations] in
      translations?.isPending(qwink) ?? false
    }
  }

  /// Servers send the text to an outside service, so they translate only posts that everyone can read.
  @MainActor
  private static func refusal(_ qwink: Qwink, _ account: Account) -> String? {
    switch qwink.visibility {
    case .public, .unlisted: qwink.hasTranslatableText ? nil : TranslationWords.noText
    case .private, .direct: TranslationWords.notPublic
    }
  }
}

extension Qwink {
  fileprivate var hasTranslatableText: Bool {
    !text.isEmpty || !contentWarning.isEmpty || poll != nil || attachments.contains { $0.altText != nil }
  }
}

extension Account {
  /// Returns the qwink as the lists show it: translated, if the reader chose that.
  func shown(_ qwink: Qwink) -> Qwink { translations.translated(qwink)?.qwink ?? qwink }
}

/// Texts about translations.
enum TranslationWords {
  static let translating = "Translating…"
  static let original = "Original text"
  static let notPublic = "Servers translate only public and unlisted posts."
  static let noText = "No text to translate"

  static func shown(_ translation: Translation) -> String {
    "\(translation.credit) · \(Action.translate.key): original"
  }

  static let badLanguage = PromptWords.usage(":translate [LANGUAGE]", "a language code such as en or pt-BR")
}
