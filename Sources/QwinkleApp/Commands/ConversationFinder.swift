import QwinkleAccount
import QwinkleModel
import QwinkleService

/// Finds a conversation by its id, or by the name of the other user in it. The API can only list conversations, so the
/// list is searched. If the server lists no conversations, they are derived from direct qwinks.
struct ConversationFinder {
  /// Maximum number of pages of 40 conversations to search.
  private static let maximumPages = 25

  let server: AccountConnection
  let found: FoundConversations

  /// Returns the conversation with the given id, as the server lists it.
  ///
  /// - Throws: ``AppError`` if it doesn't exist, or the error of a request.
  @MainActor
  func conversation(withID id: String) async throws -> SentItem<Conversation> {
    guard !Conversation(id: Conversation.ID(id), participants: []).isFound else {
      throw AppError.failed("This server has no conversations to delete. To delete a message: qwinkle delete ID")
    }
    guard let conversation = try await read(until: { $0.id.rawValue == id }).match else { throw Self.notFound(id) }
    return conversation
  }

  /// Returns the conversation whose id is `name`, or all conversations with only the user called `name`, newest first.
  ///
  /// - Throws: ``AppError`` if no conversation is found or `name` is ambiguous, or the error of a request.
  @MainActor
  func conversations(named name: String) async throws -> [SentItem<Conversation>] {
    let isUser = name.hasPrefix("@")
    let isNamed: (Conversation) -> Bool = { !isUser && $0.id.rawValue == name }
    var (match, all) = try await read(until: isNamed)
    if match == nil, all.isEmpty {
      all = try await found.conversations().map { ($0, []) }
      match = all.first { isNamed($0.item) }
    }
    if let match { return [match] }
    guard let handle = Handle.reading(name) else { throw Self.notFound(name) }
    let people = Self.people(called: handle, in: all.map(\.item))
    guard let person = people.first else { throw Self.notFound(name) }
    guard people.count == 1 else {
      throw AppError.failed("“\(name)” is ambiguous. Use \(people.map { "@\($0.handle)" }.joined(separator: " or ")).")
    }
    let exact = all.filter { $0.item.participants.map(\.id) == [person.id] }
    guard exact.isEmpty else { return exact }
    let others = all.map(\.item).filter { $0.participants.contains { $0.id == person.id } }
    let groups = ConversationGroups(others).items
    let candidates = groups.prefix(3).map { group in
      "\(group.id) (\(group.participants.map { "@\($0.handle)" }.joined(separator: ", ")))"
    }
    throw AppError.failed(
      "No conversation with @\(person.handle) alone. With others, by id: \(candidates.joined(separator: ", ")).")
  }

  /// Reads the list up to the first conversation that satisfies `isFound`, or to its end. `all` contains the
  /// conversations on the pages before the match.
  @MainActor
  private func read(
    until isFound: (Conversation) -> Bool
  ) async throws -> (match: SentItem<Conversation>?, all: [SentItem<Conversation>]) {
    var all: [SentItem<Conversation>] = []
    var request: Request<Page<Conversation>>? = .conversations(limit: 40)
    var count = 0
    while let asked = request, count < Self.maximumPages {
      let page = try await server.answer(to: asked)
      if let match = page.entries.first(where: { isFound($0.item) }) { return (match, all) }
      all += page.entries
      request = page.older.map { .conversationsPage($0) }
      count += 1
    }
    return (nil, all)
  }

  /// Returns the participants with this handle. If no handle matches and `handle` doesn't include a server, returns the
  /// participants with this user name on any server.
  private static func people(called handle: String, in conversations: [Conversation]) -> [Qwinker] {
    var seen: Set<Qwinker.ID> = []
    let all = conversations.flatMap(\.participants).filter { seen.insert($0.id).inserted }
    let called = all.filter { $0.isCalled(handle) }
    guard called.isEmpty, !handle.contains("@") else { return called }
    return all.filter { $0.userName.lowercased() == handle.lowercased() }
  }

  private static func notFound(_ name: String) -> AppError {
    .failed("Conversation not found: “\(name)”. qwinkle messages lists them with their ids.")
  }
}
