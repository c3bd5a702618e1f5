public import QwinkleModel

/// What is said of a quoted qwink.
public enum QuoteWords {
  /// Why a quoted qwink isn't shown.
  public static func withheld(_ state: Qwink.Quote.State) -> String {
    switch state {
    case .pending: "Quoted qwink: its author has not allowed that yet"
    case .rejected: "Quoted qwink: its author does not allow that"
    case .revoked: "Quoted qwink: its author no longer allows that"
    case .deleted: "Quoted qwink: deleted"
    case .unauthorized: "Quoted qwink: not visible to you"
    case .blockedAccount: "Quoted qwink: by somebody you block"
    case .blockedDomain: "Quoted qwink: from a server you block"
    case .mutedAccount: "Quoted qwink: by somebody you mute"
    case .accepted, .other: "Quoted qwink: not shown by the server"
    }
  }
}
