import FoundationEssentials
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleStore
import QwinkleTesting
import TerminalTesting
import Testing
import Timekeeping

/// An inbox with a scripted server and a virtual clock.
@MainActor
final class InboxBench: Paced {
  let server = ScriptedTimeline()
  let clock = VirtualClock(at: ScriptedTimeline.start)
  let ledger = ActivityLedger()
  let folder: TemporaryFolder
  let account: Account
  let observer = Observer()
  var inbox: Inbox { account.inbox }
  var drafts: SavedDrafts { SavedDrafts(store: account.outgoing, folder: folder) }
  var messages: ScriptedMessages { server.messages }

  @MainActor
  final class Observer: AccountObserver {
    private(set) var changes: [ListChange] = []
    private(set) var stateCount = 0

    func inbox(_ inbox: Inbox, didChange change: ListChange) { changes.append(change) }
    func inboxDidChangeState(_ inbox: Inbox) { stateCount += 1 }
  }

  /// `server` may be another bench's server, and `folder` may contain its files.
  init(server: ScriptedTimeline? = nil, in folder: TemporaryFolder = TemporaryFolder()) throws {
    self.folder = folder
    let server = server ?? self.server
    let service = DownloadService(
      configuration: .init(serverURL: "https://\(ScriptedTimeline.host)", token: "token"), ledger: ledger,
      transport: { server.transport() })
    account = Account(
      service: service, cache: try TimelineCache(directory: folder.path, ledger: ledger),
      outgoing: OutgoingStore(directory: folder.path, ledger: ledger, clock: clock), clock: clock, isSignedIn: true)
    account.addObserver(observer)
  }

  /// Sends a message without a delay.
  func send(_ text: String, in conversation: Conversation) {
    account.send(text, in: conversation, takenBack: { _ in }, saved: { _ in })
  }

  /// Waits for a posted message, whose response may still be held back.
  func waitUntilPosted() async throws {
    try await wait(for: "a post") { !messages.posted.isEmpty }
  }

  /// Identifies the user and loads the inbox.
  func start() async {
    account.identity.identify()
    inbox.start()
    await settle()
  }

  /// Opens a conversation and waits for its messages.
  func open(_ id: Conversation.ID) async throws -> Conversation {
    let conversation = try #require(inbox.conversation(id))
    inbox.open(conversation)
    inbox.fetchThread(of: id)
    await settle()
    return conversation
  }

  var ids: [String] { inbox.conversations.map(\.id.rawValue) }

  func texts(of id: Conversation.ID) -> [String] { inbox.messages(of: id).map(\.text.plainText) }
}

/// Sample conversations.
enum Talk {
  static let bob = Qwinker.sample("bob", displayName: "Bob")
  static let dana = Qwinker.sample("dana", displayName: "Dana")
  static let me = ScriptedMessages.me

  static func at(_ minutes: Double) -> Date { ScriptedTimeline.start.addingTimeInterval(60 * minutes) }

  /// Three messages with Bob, the last unread.
  static let withBob: [Qwink] = [
    .message("b1", by: bob, to: [me], "Are you coming?", at: at(-300)),
    .message("b2", by: me, to: [bob], "Nine it is.", at: at(-290), answering: "b1"),
    .message("b3", by: bob, to: [me], "Bring coffee.", at: at(-10), answering: "b2"),
  ]

  /// One read message from Dana.
  static let withDana: [Qwink] = [.message("d1", by: dana, to: [me], "Good night.", at: at(-600))]

  /// Adds both conversations to `server`.
  static func begin(on server: ScriptedTimeline) {
    server.messages.add("dana", with: [dana], withDana)
    server.messages.add("bob", with: [bob], isUnread: true, withBob)
  }
}
