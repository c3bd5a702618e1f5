import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle messages`: prints the private conversations, or one of them as a chat.
struct MessagesCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "messages", abstract: "Print your private conversations; with the id of one, what was said in it.",
    discussion: "Printing does not make anything read. “qwinkle reply” with the id of a message answers it.")

  /// Maximum number of pages of 40 conversations to search for an id.
  private static let maximumPages = 25

  @Argument(help: "The id of a conversation: the last word of its first line in the list.")
  var id: String?

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Private messages") { server, clock in
      if let id {
        let conversation = try await conversation(Conversation.ID(id), server)
        let me = try? await server.answer(to: .ownAccount).qwinker
        let messages = try await messages(of: conversation, me: me, server)
        // The newest, in chronological order.
        StandardOutput.print(messages.suffix(list.limit), asJSON: list.json, json: WireEncoder.qwinks) {
          PlainConversation.message($0, of: conversation, me: me, zone: clock.timeZone)
        }
      } else {
        let page = try await server.answer(to: .conversations(limit: list.limit))
        let me = try? await server.answer(to: .ownAccount).qwinker
        StandardOutput.print(page.items.prefix(list.limit), asJSON: list.json, json: WireEncoder.conversations) {
          PlainConversation.text($0, me: me, now: clock.now, zone: clock.timeZone)
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
    throw AppError.failed("There is no conversation “\(id)”. “qwinkle messages” lists them with their ids.")
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
