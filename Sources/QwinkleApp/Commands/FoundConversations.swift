import QwinkleAccount
import QwinkleModel
import QwinkleService
import Timekeeping

/// Conversations on a server that can't list them (snac, Takahe). They are derived from direct qwinks, as on the
/// screen.
@MainActor
final class FoundConversations {
  private let account: Account

  init(_ session: AccountSession, clock: any ProgramClock) {
    account = Account(
      service: session.downloads, cache: nil, outgoing: nil, clock: clock, isSignedIn: session.isSignedIn)
  }

  /// Derives the conversations from the direct qwinks in the home timeline and the notifications. Returns an empty list
  /// if the server can list conversations.
  func conversations() async throws -> [Conversation] {
    if let info = try? await account.connection.answer(to: .serverInfo) { account.identity.merge(info) }
    // A server that can list conversations has already returned all of them.
    guard account.inbox.serverListsNone else { return [] }
    account.identity.setMe(try await account.connection.answer(to: .ownAccount).qwinker)
    return try await account.inbox.fetchConversations()
  }

  /// Returns the messages of a conversation, oldest first.
  func messages(of conversation: Conversation) async throws -> [Qwink] {
    try await account.inbox.fetchMessages(of: conversation)
  }
}
