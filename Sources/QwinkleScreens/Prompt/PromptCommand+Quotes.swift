import PaneKit
import QwinkleAccount
import QwinkleModel

/// Commands for quotes of the user's own posts.
extension PromptCommand {
  static let quotes = [
    PromptCommand(
      name: "quote-policy", argument: Argument(kind: .quotePolicy, word: "WHO"),
      summary: "choose who else can quote your own post: \(QuoteWords.policies)", ability: .quotes,
      perform: { situation, text in situation.setQuotePolicy(text) }),
    PromptCommand(
      name: "revoke-quote", summary: "remove your post from the selected post, which quotes it", ability: .quotes,
      perform: { situation, _ in situation.revokeQuote() }),
  ]
}

extension PromptSituation {
  fileprivate func setQuotePolicy(_ text: String) -> PromptOutcome {
    guard isSignedIn else { return .refuse(PromptWords.signIn) }
    guard let qwink = selectedQwink else { return .refuse(PromptWords.noQwink) }
    guard let policy = QuotePolicy(rawValue: text) else {
      return .refuse(PromptWords.usage(":quote-policy WHO", QuoteWords.policies))
    }
    guard qwink.author.id == me?.id else { return .refuse(QuoteWords.cannotChangePolicy) }
    guard qwink.visibility.hasQuotePolicy else { return .refuse(QuoteWords.noPolicy) }
    return .act { context in
      context.account.setQuotePolicy(of: qwink, to: policy) { [weak navigator = context.navigator] in
        navigator?.say(ActionWords.undoable(QuoteWords.policyChanged(policy)), .new)
      }
    }
  }

  fileprivate func revokeQuote() -> PromptOutcome {
    guard isSignedIn else { return .refuse(PromptWords.signIn) }
    guard let qwink = selectedQwink else { return .refuse(PromptWords.noQwink) }
    if let refusal = RevocationRefusal(of: qwink, by: me?.id) { return .refuse(refusal.sentence) }
    return .act { context in
      context.navigator.ask(QuoteWords.revokeQuestion(qwink), again: nil) {
        [weak account = context.account, weak navigator = context.navigator] in
        account?.revokeQuote(in: qwink) { [weak navigator] in navigator?.say(QuoteWords.revoked, .new) }
      }
    }
  }
}
