import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle messages`: prints the conversations of direct messages, or one of them as a chat.
struct MessagesCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "messages", abstract: "Print your direct messages: the list of conversations, or one of them.",
    discussion: "Nothing is marked as read. To reply: qwinkle reply with the id of a message.")

  /// Maximum number of pages of 40 conversations to search for an id.
  private static let maximumPages = 25

  @Argument(help: "The id of a conversation, which ends its first line in the list.")
  var id: String?

  @Flag(help: "Delete the conversation, for you only. The messages stay.")
  var delete = false

  @OptionGroup var list: ListOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  func validate() throws {
    guard delete, id == nil else { return }
    throw ValidationError("--delete needs the id of a conversation.")
  }

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Reading messages") { server, clock in
      if delete, let id {
        let conversation = try await conversation(Conversation.ID(id), server)
        try await server.answer(to: .deleteConversation(conversation.id))
        if list.json { return StandardOutput.print(json: WireEncoder.conversation(conversation)) }
        return StandardOutput.print("Deleted: \(conversation.id)")
      }
      let style = PlainStyle(clock, reveals: reveal.reveal)
      let range = try times.range(clock)
      if let id {
        let conversation = try await conversation(Conversation.ID(id), server)
        let me = try? await server.answer(to: .ownAccount).qwinker
        let messages = try await messages(of: conversation, me: me, server).filter { range.contains($0.createdAt) }
        // The newest, in chronological order.
        StandardOutput.print(messages.suffix(list.limit), asJSON: list.json, json: WireEncoder.qwinks) {
          PlainConversation.message($0, of: conversation, me: me, style)
        }
      } else {
        let me = list.json ? nil : try? await server.answer(to: .ownAccount).qwinker
        let conversations = PagedList<Conversation>(
          first: { .conversations(limit: $0) }, page: { .conversationsPage($0) }, id: { $0.id },
          time: \.lastQwink?.createdAt, range: range)
        try await list.print(conversations, from: server, json: WireEncoder.conversations) {
          PlainConversation.text($0, me: me, style)
        }
      }
    }
  }

  /// The API has no way to ask for one conversation.
  @MainActor
  private func conversation(_ id: Conversation.ID, _ server: AccountConnection) async throws -> Conversation {
    var request: Request<Page<Conversation>>? = .conversations(limit: 40)
    var count = 0
    while let asked = request, count < Self.maximumPages {
      let page = try await server.answer(to: asked)
      if let found = page.items.first(where: { $0.id == id }) { return found }
      request = page.older.map { .conversationsPage($0) }
      count += 1
    }
    throw AppError.failed("Conversation not found: “\(id)”. qwinkle messages lists them with their ids.")
  }

  @MainActor
  private func messages(
    of conversation: Conversation, me: Qwinker?, _ server: AccountConnection
  ) async throws -> [Qwink] {
    guard let last = conversation.lastQwink else { return [] }
    let thread = try await server.answer(to: .thread(last.originalID))
    return MessageLog((thread.ancestors + [last] + thread.descendants).filter { conversation.holds($0, me: me?.id) })
      .messages
  }
}
