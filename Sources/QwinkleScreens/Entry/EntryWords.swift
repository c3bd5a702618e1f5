import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore
import Terminal

/// The words around an entry's text.
@MainActor
enum EntryWords {
  /// The title above the entry.
  static func title(of purpose: EntryPurpose, me: Qwinker?) -> String {
    switch purpose {
    case .new: "new qwink"
    case .reply(let qwink) where qwink.author.id == me?.id: "reply to yourself"
    case .message(let qwinker) where qwinker.id == me?.id: "private note to yourself"
    case .reply(let qwink): "reply to @\(qwink.author.handle)"
    case .edit: "edit your qwink"
    case .message(let qwinker): "private message to @\(qwinker.handle)"
    case .conversation: "private message"
    }
  }

  /// The role of the character counter for `left` characters; nil: far too many were written.
  static func role(ofRemaining left: Int?) -> StyleRole {
    guard let left, left >= 0 else { return .error }
    return left < 50 ? .warning : .dim
  }

  /// The label of the send key.
  static func sending(_ purpose: EntryPurpose) -> String {
    switch purpose {
    case .new, .reply: "post"
    case .edit: "save"
    case .message, .conversation: "send"
    }
  }

  /// The message after sending.
  static func sent(_ purpose: EntryPurpose) -> String {
    switch purpose {
    case .new, .reply: "Posted."
    case .edit: "Changed."
    case .message(let qwinker): "Sent privately to @\(qwinker.handle)."
    case .conversation: "Sent."
    }
  }

  /// Explains that an entry may have been posted despite an error.
  static let doubt = "It may have been posted all the same: sending it again looks for it first."

  /// Why an entry was not posted, or may not have been, and what to do.
  static func outcome(_ outcome: PostOutcome, isEdit: Bool) -> String {
    switch outcome {
    case .posted: sent(.new)
    case .failed(let error) where isEdit: error.sentenceForEdit
    case .failed(let error): error.mayHaveArrived ? "\(error.summary) \(doubt)" : error.sentenceForPost
    case .notLookedFor(let error):
      "\(error?.summary ?? "The server has not said yet who you are.") "
        + "It may have been posted before, and could not be looked for: it was not sent again."
    case .arrivedBefore:
      "What you wrote before was posted after all. This has not been sent: sending it posts it as well."
    }
  }

  /// The same for an entry that was closed, with the key that reopens it. `purpose` is ``OutgoingEntry/purpose``.
  static func outcome(_ outcome: PostOutcome, purpose: String) -> String {
    let kind = purpose.prefix { $0 != "/" }
    return "\(Self.outcome(outcome, isEdit: kind == "edit")) \(wayBack(to: purpose))"
  }

  /// Why the draft of a closed entry could not be saved, with the key that reopens it.
  static func notSaved(_ error: StoreError, purpose: String) -> String {
    "The draft could not be saved: it goes when you quit. \(wayBack(to: purpose)) \(error.sentence)"
  }

  /// The key that reopens a closed entry.
  static func wayBack(to purpose: String) -> String {
    switch purpose.prefix(while: { $0 != "/" }) {
    case "reply": "r on what it answers opens it again."
    case "edit": "e on it opens it again."
    case "message": "p on whom it is for opens it again."
    case "conversation": "It stands in the chat again."
    default: "c opens it again."
    }
  }

  /// What is in progress; nil if nothing.
  static func activity(of composer: EntryComposer) -> String? {
    switch composer.activity {
    case .writing: nil
    case .fetching: "Fetching…"
    case .sending:
      switch composer.purpose {
      case .new, .reply: "Posting…"
      case .edit: "Saving…"
      case .message, .conversation: "Sending…"
      }
    }
  }

  /// Who may read it, in as much detail as fits in `columns`.
  static func audience(of composer: EntryComposer, columns: Int) -> String {
    let visibility = composer.entry.visibility
    if composer.isAudienceOpen {
      return fitting(
        [
          "who may read it? ^T chooses: it is not known whom you usually write for", "who may read it? ^T chooses",
          "^T?",
        ],
        columns: columns)
    }
    if visibility == .direct { return privately(to: composer.recipients, columns: columns) }
    return fitting(
      visibility == .unlisted
        ? [words(for: visibility), "unlisted: everybody may read it", name(of: visibility)]
        : [words(for: visibility), name(of: visibility)],
      columns: columns)
  }

  /// The visibility in one word.
  static func name(of visibility: Visibility) -> String {
    switch visibility {
    case .public: "public"
    case .unlisted: "unlisted"
    case .private: "followers"
    case .direct: "private"
    }
  }

  /// The visibility in a sentence.
  static func words(for visibility: Visibility) -> String {
    switch visibility {
    case .public: "public: everybody may read it"
    case .unlisted: "unlisted: everybody may read it, not in the public timeline"
    case .private: "followers: only those who follow you"
    case .direct: "private: only those it names"
    }
  }

  /// The recipients of a private message: all names if they fit, otherwise some of them and a count.
  private static func privately(to recipients: [String], columns: Int) -> String {
    guard !recipients.isEmpty else {
      return fitting(["private: only those it names, nobody yet", "private: nobody yet", "private"], columns: columns)
    }
    let names = recipients.map { "@\($0)" }
    let all = names.joined(separator: ", ")
    var choices = ["private: only those it names; goes to \(all)", "private: goes to \(all)", "private to \(all)"]
    for count in stride(from: names.count - 1, to: 0, by: -1) {
      choices.append("private to \(names.prefix(count).joined(separator: ", ")) and \(names.count - count) more")
    }
    if names.count > 1 { choices.append("private to \(names.count) people") }
    return DisplayWidth.truncated(fitting(choices, columns: columns), to: columns)
  }

  /// The first choice that fits, or the last if none does.
  private static func fitting(_ choices: [String], columns: Int) -> String {
    choices.first { DisplayWidth.columns(of: $0) <= columns } ?? choices.last ?? ""
  }
}
