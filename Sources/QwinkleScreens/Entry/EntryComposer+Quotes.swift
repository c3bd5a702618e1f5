import QwinkleAccount
import QwinkleModel

/// The choice of the users who may quote the entry.
extension EntryComposer {
  /// The users who may quote the entry: the user's choice, or else the account's default. Nil until the
  /// default is loaded.
  var quotePolicy: QuotePolicy? { entry.quotePolicy ?? account.identity.usualQuotePolicy }

  /// Whether the user has chosen a policy for this entry.
  var hasOwnQuotePolicy: Bool { choseQuotePolicy || entry.quotePolicy != original.quotePolicy }

  /// Whether the user can choose who may quote the entry.
  var canChooseQuotePolicy: Bool { quotePolicyRefusal == nil && activity == .writing }

  private var quotePolicyRefusal: String? {
    guard account.connection.abilities[.quotes] == true else {
      return account.connection.refusal(of: .quotes) ?? QuoteWords.policyUnknown
    }
    return entry.visibility.hasQuotePolicy ? nil : QuoteWords.noPolicy
  }

  /// Switches to the next policy, wrapping around.
  func changeQuotePolicy() {
    guard activity == .writing else { return }
    if let quotePolicyRefusal { return fail(quotePolicyRefusal) }
    let next: QuotePolicy =
      switch quotePolicy {
      case .public: .followers
      case .followers: .nobody
      case .nobody, nil: .public
      }
    choseQuotePolicy = true
    change { $0.quotePolicy = next }
  }
}
