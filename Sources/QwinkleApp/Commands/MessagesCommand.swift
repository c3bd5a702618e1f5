import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle messages`: lists conversations, or prints one of them as a chat.
struct MessagesCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "messages", abstract: "Print your direct messages: the list of conversations, or one of them.",
    discussion: "Nothing is marked as read. To reply: qwinkle reply with the id of a message.")

  @Argument(
    help: "A conversation: its id, shown at the end of its first line in the list, or the other user.",
    completion: KnownCompletions.users)
  var conversation: String?

  @Flag(help: "Delete the conversation, for you only. The messages are not deleted.")
  var delete = false

  @OptionGroup var list: ListOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  func validate() throws {
    guard delete, conversation?.hasPrefix("@") ?? true else { return }
    throw ValidationError("--delete needs the id of a conversation; qwinkle messages lists them.")
  }

  func start() throws {
    CommandRunner.run(
      options.choice, needingAccountFor: "Reading messages", isPaged: true
    ) { session, server, clock in
      let found = FoundConversations(session, clock: clock)
      let finder = ConversationFinder(server: server, found: found)
      if delete, let conversation {
        let conversation = try await finder.conversation(withID: conversation)
        try await server.answer(to: .deleteConversation(conversation.item.id))
        if list.json {
          return StandardOutput.print(json: SentJSON.object(conversation, encoding: WireEncoder.conversation))
        }
        return StandardOutput.print("Deleted: \(conversation.item.id)")
      }
      let style = PlainStyle(clock, reveals: reveal.reveal)
      let range = try times.range(clock)
      if let conversation {
        let conversations = try await finder.conversations(named: conversation)
        let me = try? await server.answer(to: .ownAccount).qwinker
        let messages = try await messages(of: conversations, found, me: me, in: range, server)
        // Print the newest messages, the oldest of them first.
        let newest = Array(messages.suffix(list.limit))
        if list.json { return StandardOutput.print(json: SentJSON.array(newest, encoding: WireEncoder.qwinks)) }
        guard let first = conversations.first?.item, !newest.isEmpty else {
          return StandardOutput.remark(onEmptyList: "No messages.")
        }
        for message in newest {
          StandardOutput.print(PlainConversation.message(message.item, of: first, me: me, style))
        }
      } else {
        let me = list.json ? nil : try? await server.answer(to: .ownAccount).qwinker
        let conversations = PagedList<Conversation>(
          first: { .conversations(limit: $0) }, page: { .conversationsPage($0) }, id: { $0.id },
          time: \.lastQwink?.createdAt, range: range, whenEmpty: found.conversations)
        try await list.print(conversations, from: server, none: "No messages.", json: WireEncoder.conversations) {
          PlainConversation.text($0, me: me, style)
        }
      }
    }
  }

  /// Returns the messages of conversations between the same users, oldest first. Stops fetching conversations once
  /// there are enough messages.
  @MainActor
  private func messages(
    of conversations: [SentItem<Conversation>], _ found: FoundConversations, me: Qwinker?, in range: TimeRange,
    _ server: AccountConnection
  ) async throws -> [SentItem<Qwink>] {
    var log = MessageLog()
    var sources: [Qwink.ID: [UInt8]] = [:]
    for (conversation, source) in conversations {
      if conversation.isFound {
        log.merge(try await found.messages(of: conversation))
        continue
      }
      guard let last = conversation.lastQwink else { continue }
      let known = log.messages.filter { range.contains($0.createdAt) }
      // The conversations are sorted newest first, so the remaining ones have only older messages.
      if known.count(where: { $0.createdAt > last.createdAt }) >= list.limit { break }
      let thread = try await server.answer(to: Request<QwinkThread>.thread(last.originalID).sourced)
      let qwinks = thread.answer.ancestors + [last] + thread.answer.descendants
      log.merge(qwinks.filter { conversation.holds($0, me: me?.id) })
      guard list.json else { continue }
      sources[last.id] = JSONParts.member("last_status", of: source)
      let entries = thread.bothEntries()
      for entry in entries.ancestors + entries.descendants { sources[entry.item.id] = entry.source }
    }
    return log.messages.filter { range.contains($0.createdAt) }.map { ($0, sources[$0.id] ?? []) }
  }
}
