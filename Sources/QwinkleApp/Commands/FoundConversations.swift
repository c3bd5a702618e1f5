import QwinkleAccount
import QwinkleModel
import QwinkleService
import Timekeeping

/// Direct messages on a server that lists no conversations (snac, Takahe), derived from qwinks as on the screen.
@MainActor
final class FoundConversations {
  private let account: Account

  init(_ session: AccountSession, clock: any ProgramClock) {
    account = Account(
      service: session.downloads, cache: nil, outgoing: nil, clock: clock, isSignedIn: session.isSignedIn)
  }

  /// Searches the home timeline and the notifications.
  func conversations() async throws -> [Conversation] {
    if let info = try? await account.connection.answer(to: .serverInfo) { account.identity.merge(info) }
    // On other servers an empty list really is empty.
    guard account.inbox.serverListsNone else { return [] }
    account.identity.setMe(try await account.connection.answer(to: .ownAccount).qwinker)
    return try await account.inbox.fetchConversations()
  }

  /// Returns the messages of a conversation, oldest first.
  func messages(of conversation: Conversation) async throws -> [Qwink] {
    try await account.inbox.fetchMessages(of: conversation)
  }
}
