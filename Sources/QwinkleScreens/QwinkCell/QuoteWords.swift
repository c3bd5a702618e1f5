public import QwinkleModel

/// Strings for quoted qwinks.
public enum QuoteWords {
  /// Returns the text shown in place of a hidden quoted qwink.
  public static func withheld(_ state: Qwink.Quote.State) -> String {
    switch state {
    case .pending: "Quoted qwink: its author has not allowed that yet"
    case .rejected: "Quoted qwink: its author does not allow that"
    case .revoked: "Quoted qwink: its author no longer allows that"
    case .deleted: "Quoted qwink: deleted"
    case .unauthorized: "Quoted qwink: not visible to you"
    case .blockedAccount: "Quoted qwink: you block its author"
    case .blockedDomain: "Quoted qwink: from a server you block"
    case .mutedAccount: "Quoted qwink: you mute its author"
    case .accepted, .other: "Quoted qwink: not shown by the server"
    }
  }
}
