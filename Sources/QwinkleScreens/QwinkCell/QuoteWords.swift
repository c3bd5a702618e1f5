import PaneKit
public import QwinkleModel

/// Strings for quotes.
public enum QuoteWords {
  /// Returns the text shown in place of a hidden quoted post.
  public static func withheld(_ state: Qwink.Quote.State) -> String {
    switch state {
    case .pending: "Quoted post: its author has not allowed the quote yet"
    case .rejected: "Quoted post: its author rejected the quote"
    case .revoked: "Quoted post: its author has removed it from this post"
    case .deleted: "Quoted post: deleted"
    case .unauthorized: "Quoted post: not visible to you"
    case .blockedAccount: "Quoted post: you block its author"
    case .blockedDomain: "Quoted post: you block its author's server"
    case .mutedAccount: "Quoted post: you mute its author"
    case .accepted, .other: "Quoted post: not shown by the server"
    }
  }

  // MARK: Writing

  /// The title of an entry that quotes a post.
  static func title(ofQuoting qwink: Qwink, me: Qwinker.ID?) -> String {
    if qwink.author.id == me { return "Quote yourself" }
    let needsApproval = qwink.quoteApproval?.effect == .manual
    return "Quote @\(qwink.author.handle)" + (needsApproval ? ", who must approve the quote" : "")
  }

  /// Shown after posting a quote that the quoted author must approve.
  static let postedPending = "Posted · the quote is hidden until its author approves it"

  // MARK: Policies

  static let policyLabel = "Quotes"
  /// The names of all policies, as the user types them.
  public static let policies = QuotePolicy.allCases.map(\.rawValue).listed("or")
  /// Shown if the account's default isn't known.
  static let usualPolicy = "default"

  /// The users who may quote a post.
  public static func name(of policy: QuotePolicy) -> String {
    switch policy {
    case .public: "anyone"
    case .followers: "followers"
    case .nobody: "only you"
    }
  }

  static let noPolicy = "Only you can quote this: it is not public or unlisted."
  static let policyUnknown = "It is not known yet whether the server supports quotes."
  static let cannotChangePolicy = "You can choose only who may quote your own posts."

  static func policyChanged(_ policy: QuotePolicy) -> String { "Quotes: \(name(of: policy))" }

  // MARK: Revoking

  static func revokeQuestion(_ qwink: Qwink) -> String {
    "Remove your post from this post of @\(qwink.author.handle)? You can't undo it."
  }

  static let revoked = "Removed your post from it"
}
