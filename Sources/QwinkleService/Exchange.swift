import QwinkleModel
import QwinkleWire
import Timekeeping

/// Something asked of a server, and everybody who waits for it.
@MainActor
final class Exchange {
  private struct Listener {
    let identifier: DownloadIdentifier
    weak var delegate: (any DownloadServiceDelegate)?
  }

  let request: DownloadRequest
  let activity: Activity
  /// What does the work; set right after the exchange is made.
  var task: Task<Void, Never>?
  /// Whether others may still wait for the same answer: from the start until the first thing was told that a
  /// latecomer would miss.
  var isJoinable: Bool
  /// Where the last answer begins, if it was too large.
  var cut: TransportResponse?
  private var listeners: [Listener] = []

  init(_ request: DownloadRequest, activity: Activity) {
    self.request = request
    self.activity = activity
    isJoinable = !request.isWrite
  }

  /// Whether nobody waits for it any more.
  var isAbandoned: Bool { listeners.isEmpty }

  /// Who waits, in the order in which they came.
  var identifiers: [DownloadIdentifier] { listeners.map(\.identifier) }

  func add(_ delegate: any DownloadServiceDelegate, as identifier: DownloadIdentifier) {
    listeners.append(Listener(identifier: identifier, delegate: delegate))
  }

  func delegate(for identifier: DownloadIdentifier) -> (any DownloadServiceDelegate)? {
    listeners.first { $0.identifier == identifier }?.delegate
  }

  func remove(_ identifier: DownloadIdentifier) {
    listeners.removeAll { $0.identifier == identifier }
  }

  func removeDead() {
    listeners.removeAll { $0.delegate == nil }
  }

  /// Tells everybody who waits. A delegate may cancel itself or others meanwhile: those hear nothing more.
  func forEachDelegate(_ tell: (any DownloadServiceDelegate, DownloadIdentifier) -> Void) {
    for identifier in identifiers {
      if let delegate = delegate(for: identifier) { tell(delegate, identifier) }
    }
  }
}

extension DownloadRequest {
  /// Whether it changes something on the server. Two equal ones are then two, and one under way is let finish
  /// even when nobody waits: half a change would be worse than an unheard one.
  public var isWrite: Bool {
    switch self {
    case .post, .edit, .delete, .react, .readConversation, .deleteConversation, .setReadPosition, .follow,
      .answerFollowRequest, .setOwnProfile:
      true
    case .connect, .timeline, .timelinePage, .thread, .qwink, .versions, .source, .conversations, .conversationsPage,
      .notifications, .notificationsPage, .readPositions, .qwinker, .lookup, .qwinkers, .qwinkersPage, .completeHandle,
      .relationship, .ownProfile, .search:
      false
    }
  }

  /// Words for the activity ledger.
  var activityName: String {
    switch self {
    case .connect: "connecting"
    case .timeline(let name, _), .timelinePage(let name, _): "download of \(name.key)"
    case .thread: "download of a thread"
    case .qwink: "download of a qwink"
    case .versions: "download of a history"
    case .source: "download of a source"
    case .post: "posting"
    case .edit: "editing"
    case .delete: "deleting"
    case .react: "reacting"
    case .conversations, .conversationsPage: "download of conversations"
    case .readConversation: "marking a conversation read"
    case .deleteConversation: "deleting a conversation"
    case .notifications, .notificationsPage: "download of notices"
    case .readPositions: "download of read positions"
    case .setReadPosition: "keeping a read position"
    case .qwinker, .lookup: "download of a qwinker"
    case .qwinkers, .qwinkersPage, .completeHandle: "download of qwinkers"
    case .relationship: "download of a relationship"
    case .follow: "following"
    case .answerFollowRequest: "answering a follow request"
    case .ownProfile: "download of a profile"
    case .setOwnProfile: "changing a profile"
    case .search: "searching"
    }
  }
}
