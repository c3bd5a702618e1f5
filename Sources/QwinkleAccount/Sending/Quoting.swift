public import QwinkleModel
import QwinkleService

/// Quotes of posts.
extension Account {
  /// Returns the reason why the user can't quote `qwink`, as a sentence, or nil if the server may accept a quote.
  public func quoteRefusal(of qwink: Qwink) -> String? {
    connection.quoteRefusal(of: qwink, by: identity.me?.id)
  }

  /// Changes who may quote one of the user's qwinks. Quotes that exist already stay. ``undo()`` restores the
  /// former policy, unless the server describes it by other rules.
  public func setQuotePolicy(
    of qwink: Qwink, to policy: QuotePolicy, isUndo: Bool = false, done: @escaping @MainActor () -> Void
  ) {
    change(
      by: .setQuotePolicy(of: timelines.currentID(of: qwink), to: policy), failing: "Changing who may quote it",
      needing: AbilityNeed(.quotes, of: qwink)
    ) { [weak self] answer in
      self?.timelines.merge(answer.original)
      if !isUndo, let former = qwink.quoteApproval?.policy {
        self?.rememberAct(undoneAs: "Quote policy restored") { [weak self] in
          self?.setQuotePolicy(of: qwink, to: former, isUndo: true) {}
        }
      }
      done()
    }
  }

  /// Removes the user's post from `quoting`, a qwink that quotes it. This can't be undone.
  public func revokeQuote(in quoting: Qwink, done: @escaping @MainActor () -> Void) {
    guard let quoted = quoting.quote?.id else { return }
    change(
      by: .revokeQuote(of: quoted, in: timelines.currentID(of: quoting)), failing: "Revoking the quote",
      needing: AbilityNeed(.quotes, of: quoting)
    ) { [weak self] answer in
      self?.timelines.merge(answer.original)
      done()
    }
  }
}

/// The reason why the user can't revoke a quote.
public enum RevocationRefusal: Error, Hashable, Sendable {
  case quotesNothing
  /// The quote isn't visible, because it was revoked already, or for another reason.
  case isWithheld
  case notMine

  public init?(of quoting: Qwink, by me: Qwinker.ID?) {
    guard let quote = quoting.quote else {
      self = .quotesNothing
      return
    }
    guard quote.state == .accepted, let author = quote.author, quote.id != nil else {
      self = .isWithheld
      return
    }
    guard author.id != me else { return nil }
    self = .notMine
  }

  public var sentence: String {
    switch self {
    case .quotesNothing: "This post quotes nothing."
    case .isWithheld: "This post shows no quote that could be revoked."
    case .notMine: "Only the author of the quoted post can revoke the quote."
    }
  }
}

extension AccountConnection {
  /// Returns the reason why `me` can't quote `qwink`, as a sentence, or nil if the server may accept a quote.
  public func quoteRefusal(of qwink: Qwink, by me: Qwinker.ID?) -> String? {
    guard let refusal = QuoteRefusal(of: qwink, by: me, isSupported: abilities[.quotes]) else { return nil }
    return refusal.sentence(for: qwink)
      ?? DownloadError.unsupported(host: WebAddress(serverURL)?.host ?? serverURL, .quotes).sentence
  }
}
