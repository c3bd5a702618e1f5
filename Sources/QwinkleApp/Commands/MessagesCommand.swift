import ArgumentParser
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle messages`: prints the private conversations, or one of them as a chat.
struct MessagesCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "messages", abstract: "Print your private conversations; with the id of one, what was said in it.",
    discussion: "Printing does not make anything read. “qwinkle reply” with the id of a message answers it.")

  /// Conversations that are looked through for an id: as many pages of 40.
  private static let mostPages = 25

  @Argument(help: "The id of a conversation: the last word of its first line in the list.")
  var id: String?

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Private messages") { session, clock in
      if let id {
        let conversation = try await conversation(Conversation.ID(id), session.downloads)
        let me = await OneShot.me(session.downloads)
        let messages = try await messages(of: conversation, me: me, session.downloads)
        // The newest, but in the order in which they were said.
        StandardOutput.print(messages.suffix(list.limit), asJSON: list.json, json: WireEncoder.qwinks) {
          PlainConversation.message($0, of: conversation, me: me, zone: clock.timeZone)
        }
      } else {
        let answer = try await OneShot.answer(to: .conversations(limit: list.limit), from: session.downloads)
        guard case .conversations(let page) = answer else { return }
        let me = await OneShot.me(session.downloads)
        StandardOutput.print(page.items.prefix(list.limit), asJSON: list.json, json: WireEncoder.conversations) {
          PlainConversation.text($0, me: me, now: clock.now, zone: clock.timeZone)
        }
      }
    }
  }

  /// The API has no way to ask for one conversation.
  @MainActor
  private func conversation(_ id: Conversation.ID, _ downloads: DownloadService) async throws -> Conversation {
    var request: DownloadRequest? = .conversations(limit: 40)
    var count = 0
    while let asked = request, count < Self.mostPages {
      guard case .conversations(let page) = try await OneShot.answer(to: asked, from: downloads) else { break }
      if let found = page.items.first(where: { $0.id == id }) { return found }
      request = page.older.map { .conversationsPage($0) }
      count += 1
    }
    throw AppError.failed("There is no conversation “\(id)”. “qwinkle messages” lists them with their ids.")
  }

  @MainActor
  private func messages(
    of conversation: Conversation, me: Qwinker?, _ downloads: DownloadService
  ) async throws -> [Qwink] {
    guard let last = conversation.lastQwink else { return [] }
    guard case .thread(let thread) = try await OneShot.answer(to: .thread(last.originalID), from: downloads) else {
      return [last]
    }
    return MessageLog((thread.ancestors + [last] + thread.descendants).filter { conversation.holds($0, me: me?.id) })
      .messages
  }
}
