public import QwinkleModel
import QwinkleService
import QwinkleStore

/// Texts of the list of drafts and of the outbox.
public enum OutboxWords {
  static let drafts = "Drafts"

  // MARK: Purposes

  /// The title of a saved entry: `Reply to @bob`. `purpose` is nil if the entry's subject was neither saved with the
  /// entry nor loaded.
  public static func title(of key: String, _ purpose: EntryPurpose?, me: Qwinker.ID?) -> String {
    switch purpose {
    case .new: return EntryWords.newQwink
    case .reply(let qwink): return qwink.author.id == me ? "Reply to yourself" : "Reply to @\(qwink.author.handle)"
    case .quote(let qwink): return QuoteWords.title(ofQuoting: qwink, me: me)
    case .edit: return "Edit of your post"
    case .message(let qwinker): return qwinker.id == me ? "Note to yourself" : "Message to @\(qwinker.handle)"
    case .conversation(let conversation): return "Message to \(names(in: conversation, me: me))"
    case nil: break
    }
    return switch EntryPurpose.Kind(key: key) {
    case .new, nil: EntryWords.newQwink
    case .reply: "Reply"
    case .quote: "Quote"
    case .edit: "Edit of your post"
    case .message, .conversation: "Message"
    }
  }

  /// `@bob`, or `@bob and 2 more`.
  private static func names(in conversation: Conversation, me: Qwinker.ID?) -> String {
    let others = conversation.participants.filter { $0.id != me }
    guard let first = others.first else { return ConversationWords.yourself }
    return "@\(first.handle)" + (others.count > 1 ? " and \(others.count - 1) more" : "")
  }

  static func quoted(_ text: String) -> String { "“\(text)”" }
  static let noText = "no text yet"
  static let audienceOpen = "visibility?"

  // MARK: The state of a draft

  public static let openElsewhere = "open in another Qwinkle"
  static let isOpenHere = "open here"
  static let notSaved = "not saved on disk"
  public static let mayHaveArrived = "may have been posted; Qwinkle checks before sending it again"

  // MARK: The list

  static let loading = "Reading your drafts…"
  static let noDrafts = "No drafts. Your text is saved here until it is posted."
  static let needsAccount = "Drafts need an account."
  static let continues = "continue"
  static let discards = "discard"

  static let notRead = "Your drafts could not be read."
  static func notRead(_ error: StoreError) -> String { "\(notRead) \(error.sentence)" }

  // MARK: Opening and discarding

  static let opening = "Opening the draft…"
  static let cannotOpenElsewhere = "This draft is open in another Qwinkle. Close it there first."
  static let isBeingSent = "This draft is being sent."
  static let gone = "This draft was sent, or discarded in another Qwinkle."

  /// Question about a draft whose subject no longer exists.
  static func askToWriteAsNew(_ kind: EntryPurpose.Kind?) -> String {
    let subject =
      switch kind {
      case .edit: "The post it edits no longer exists."
      case .quote: "The post it quotes no longer exists."
      case .message, .conversation: "Its recipient no longer exists."
      case .reply, .new, nil: "The post it replies to no longer exists."
      }
    return "\(subject) Open your text as a new post?"
  }

  /// Shown if a draft's subject isn't known here and could not be fetched.
  static func notFetched(_ error: DownloadError) -> String {
    "The draft is saved. The post it replies to or edits, or its recipient, could not be fetched. \(error.sentence)"
  }
}
