import PaneKit
import QwinkleAccount
public import QwinkleModel
import QwinkleService
import QwinkleStore

/// Labels and messages around an entry's text.
@MainActor
public enum EntryWords {
  nonisolated static let newQwink = "New post"

  static func title(of purpose: EntryPurpose, me: Qwinker?) -> String {
    switch purpose {
    case .new: newQwink
    case .reply(let qwink) where qwink.author.id == me?.id: "Reply to yourself"
    case .message(let qwinker) where qwinker.id == me?.id: "Note to yourself"
    case .reply(let qwink): "Reply to @\(qwink.author.handle)"
    case .quote(let qwink): QuoteWords.title(ofQuoting: qwink, me: me?.id)
    case .edit: "Edit your post"
    case .message(let qwinker): "Message to @\(qwinker.handle)"
    case .conversation: "Direct message"
    }
  }

  /// Returns the character counter for `left` remaining characters: `412`, or `−136` beyond the limit.
  static func counter(_ left: Int) -> String { left < 0 ? "−\(left.magnitude)" : "\(left)" }

  /// Returns the number of characters used, `88 / 500`, or the excess over the limit: `−12 / 500`.
  static func count(_ left: Int, limit: Int) -> String { "\(left < 0 ? counter(left) : "\(limit - left)") / \(limit)" }

  /// Returns the role of the character counter for `left` remaining characters. Nil means that the text is too long to
  /// count.
  static func role(ofRemaining left: Int?) -> StyleRole {
    guard let left, left >= 0 else { return .error }
    return left < 50 ? .warning : .dim
  }

  static func sending(_ purpose: EntryPurpose) -> String {
    switch purpose {
    case .new, .reply, .quote: "post"
    case .edit: "save"
    case .message, .conversation: "send"
    }
  }

  /// Returns the message after sending. Nil if ``posted(_:where:)`` is shown instead.
  static func sent(_ purpose: EntryPurpose) -> String? {
    switch purpose {
    case .new, .reply, .quote: nil
    case .edit: editSaved
    case .message(let qwinker): "Sent to @\(qwinker.handle)"
    case .conversation: sent
    }
  }

  static let posted = "Posted"
  static let replyPosted = "Reply posted"
  static let sent = "Sent"
  static let editSaved = "Edit saved"

  /// Returns the message after posting. If the qwink isn't visible, adds the key or the section that leads to it, if
  /// known. See ``PostedPlace``.
  static func posted(_ qwink: Qwink, where place: PostedPlace) -> String {
    if qwink.editedAt != nil { return editSaved }
    if qwink.quote?.state == .pending { return QuoteWords.postedPending }
    let done: String =
      switch qwink.visibility {
      case .direct: sent
      case .private where qwink.inReplyTo == nil: "Posted to followers"
      default: qwink.inReplyTo == nil ? posted : replyPosted
      }
    let way: String? =
      switch place {
      case .inSight, .elsewhere: nil
      case .end: "\(Action.listLast.key) shows it"
      case .top: "\(Action.listFirst.key) shows it"
      case .thread: "\(Action.open.key) shows the thread"
      case .section(let section): "\(section.action.key) shows it"
      case .somewhere(let section): "it is in \(section.number) \(section.title)"
      }
    return way.map { "\(done) · \($0)" } ?? done
  }

  static let queuedOffline = "Offline · queued; sent when the server answers"
  static let perhapsPosted = "Perhaps posted · Qwinkle checks before sending again"

  /// Explains that an entry may have been posted despite an error.
  static let doubt = "It may have been posted anyway. Sending again checks first."

  /// Shown while the account's name and settings haven't been fetched yet.
  static let accountLoading = "Your account is still loading."

  /// Returns the message for the outcome of sending an entry. If the entry was not posted, or may not have been, the
  /// message has the reason and the next step.
  static func outcome(_ outcome: PostOutcome, isEdit: Bool) -> String {
    switch outcome {
    case .posted: posted
    case .queued(let item, let error): queued(item, error)
    case .failed(let error) where isEdit: error.sentenceForEdit
    case .failed(let error): error.mayHaveArrived ? "\(error.summary) \(doubt)" : error.sentenceForPost
    case .notLookedFor(let error): "\(error?.summary ?? accountLoading) \(EntryProblem.unchecked)"
    case .arrivedBefore:
      "Your earlier version was posted after all; this one was not sent. Sending it creates a second post."
    }
  }

  /// Returns the message for an entry in the outbox: the reason, and what happens next.
  static func queued(_ item: OutboxItem, _ error: DownloadError?) -> String {
    switch error {
    case nil: "Queued behind earlier posts"
    case .rateLimited, .serverFailed(_, 503): "Queued · the server is busy, sent later"
    case let error? where error.needsSignIn: "Queued · sent when you have signed in again"
    case let error? where item.state == .uncertain: "\(error.summary) \(perhapsPosted)"
    default: queuedOffline
    }
  }

  /// Returns the message for an entry that was closed, with the key that reopens it. `purpose` is
  /// ``OutgoingEntry/purpose``.
  static func outcome(_ outcome: PostOutcome, purpose: String) -> String {
    let kind = purpose.prefix { $0 != "/" }
    return "\(Self.outcome(outcome, isEdit: kind == "edit")) \(wayBack(to: purpose))"
  }

  /// Returns the reason the draft of a closed entry could not be saved, with the key that reopens it.
  static func notSaved(_ error: StoreError, purpose: String) -> String {
    "\(draftNotSaved); quitting loses it. \(wayBack(to: purpose)) \(error.sentence)"
  }

  /// Returns a sentence with the key that reopens a closed entry. A chat shows its entry again without a key.
  static func wayBack(to purpose: String) -> String {
    switch purpose.prefix(while: { $0 != "/" }) {
    case "reply": "\(Action.reply.key) on the original post reopens it."
    case "quote": "\(Action.quote.key) on the quoted post reopens it."
    case "edit": "\(Action.edit.key) on the post reopens it."
    case "message": "\(Action.message.key) on the recipient reopens it."
    case "conversation": "The text is back in the chat."
    default: "\(Action.compose.key) reopens it."
    }
  }

  // MARK: Drafts

  static let draftOpenElsewhere = "This draft is open in another Qwinkle. Here is a new one."
  static let draftChangedElsewhere =
    "Another Qwinkle changed this draft too. Both are saved; :drafts lists them."

  static let moreDrafts = "Another draft is saved; :drafts lists both."

  static func draftNotSaved(_ error: StoreError) -> String { "\(draftNotSaved). \(error.sentence)" }

  /// Shown when a delayed entry could not be posted.
  static func notPosted(_ error: StoreError) -> String {
    "Not posted. \(error.sentence) \(Action.showDrafts.key) lists your drafts."
  }

  static func draftNotDiscarded(_ error: StoreError) -> String { "Draft not discarded. \(error.sentence)" }

  static let draftSaved = "Draft saved"
  static let draftNotSaved = "Draft not saved"
  static let draftDiscarded = "Draft discarded"
  static let draftRestored = "Draft restored"

  /// Shown when the user saves the draft and begins a new entry.
  static let anotherBegun = "\(draftSaved) · this is a new one"

  /// Shown when an entry opens with a saved draft. `others` is the number of further drafts.
  static func restored(isEdit: Bool, others: Int) -> String {
    let discards = "\(Action.entryDiscard.key) discards it"
    let words =
      isEdit
      ? "Your unsaved edit restored · \(discards)"
      : "\(draftRestored) · \(discards), \(Action.entryAnother.key) begins another"
    return others > 0 ? "\(words) · \(others) more in :drafts" : words
  }

  // MARK: Editing

  static let visibilityLabel = "Visibility"
  nonisolated static let warningLabel = "CW"
  /// Shown if the entry has no content warning.
  static let noWarning = "none"
  static let languageLabel = "Lang"
  /// Shown if the language is the account's default.
  static let usualLanguage = "default"
  static let languagePlaceholder = "Language code, such as en or pt-BR (empty = default)"
  static let warningPlaceholder = "Content warning (empty = none)"
  static let tooLong = "too long"
  /// A readline key, which isn't part of the keymap.
  static let undoKey = "^_"
  static let undo = "undo"
  /// The key that scrolls the quote, shown after its visible part.
  static let scrollKey = Action.listPageDown.key(in: .entry)
  static let help = "help"
  /// The label of the close key if the draft can't be saved.
  static let closeUnsaved = "close (not saved)"
  static let pollNotEditable = "A post with a poll can't be edited: its votes would be lost."
  static let noEditor = "No editor can be started here."

  static func editNotFetched(_ error: DownloadError) -> String { "\(editNotFetched) \(error.sentence)" }
  static let editNotFetched = "The text to edit could not be fetched."

  // MARK: Polls and times

  nonisolated static let pollLabel = "Poll"
  nonisolated static func pollOption(_ number: Int) -> String { "Option \(number)" }
  /// The label of the first option in linear form.
  static func pollFirstOption(limit: Int) -> String { "\(pollOption(1)), at most \(limit) characters" }
  nonisolated static let pollDuration = "Ends in"
  static let pollDurationPlaceholder = "1 day (8h, 30m)"
  nonisolated static let pollSeveral = "Several"
  nonisolated static let pollHidden = "Hide votes"
  static let yes = "yes"
  static let no = "no"
  /// A row of a form in linear form.
  static func spoken(_ label: String, _ value: String) -> String { "\(label): \(value)" }
  nonisolated static let timeLabel = "At"
  static let timePlaceholder = "When the server publishes it: 2h, 18:30, 2026-11-22T09:30 (empty = now)"
  static let pollNotAdded = "A poll can't be added to a published post."
  static let editsNow = "An edit is saved at once: leave the time empty."

  static func noTime(_ text: String) -> String {
    "“\(text)” isn't a future time, such as 2h, 18:30 or 2026-11-22T09:30."
  }

  /// The command that lists scheduled posts.
  static let scheduledList = ":scheduled"

  /// Returns the message for an entry that the server stored differently from how it was sent.
  static func stored(_ differences: [StoredDifference]) -> String { "Sent. \(differences.sentence)" }

  /// Shown if the server accepted the time but doesn't list the post.
  static let scheduledUnlisted = "Scheduled · the server does not list it, so it can't be changed or cancelled"

  /// Shown if the server accepted the post without reporting whether it is published.
  static let scheduledOrPublished = "Accepted · the server did not confirm whether it is published now or later"

  /// Shown if the server ignored the time. `refusal` is the sentence that explains that the server can't schedule
  /// posts.
  static func publishedAtOnce(_ refusal: String) -> String { "Published at once. \(refusal)" }

  static func scheduled(_ time: String) -> String { "Scheduled for \(time) · \(scheduledList) lists it" }

  // MARK: Threads

  static let notSplit = "This can't be split into a thread."
  static let threadsNow = "A thread is posted at once: leave the time empty."

  /// Returns the problem's sentence. If the text is too long and can be split, adds the key that makes it a thread.
  static func problem(_ problem: EntryProblem, canSplit: Bool) -> String {
    switch problem {
    case .tooLong where canSplit, .farTooLong where canSplit:
      "\(problem.sentence) \(Action.entryThread.key) makes it a thread."
    default: problem.sentence
    }
  }

  /// Returns the message after the thread form was changed.
  static func threadForm(_ form: ThreadForm) -> String {
    switch form {
    case .none: "No thread: one post"
    case .plain: "A long text is posted as a thread · \(Action.entryThread.key) again numbers its parts"
    case .numbered: "A long text is posted as a numbered thread · \(Action.entryThread.key) again turns that off"
    }
  }

  /// Returns the number of parts, shown instead of the character count.
  static func parts(_ count: Int, _ form: ThreadForm) -> String {
    form == .numbered ? "thread of \(count), numbered" : "thread of \(count)"
  }

  static func posting(_ count: Int) -> String { "Posting \(count) parts…" }

  // MARK: Completing

  /// Returns the hint for the completion key. `emoji` is whether the server may have custom emoji.
  static func completes(emoji: Bool) -> String {
    "\(Action.entryComplete.key) completes " + (emoji ? "@names, #hashtags and :emoji:." : "@names and #hashtags.")
  }

  static let noEmoji = "This server has no custom emoji."

  /// Shown if no name, tag, emoji or path completes `typed`.
  static func noMatch(_ typed: String) -> String { "Nothing matches “\(typed)”." }

  /// Shown while a folder takes long to read.
  static let readingFolder = "Reading the folder…"
  static let foldersDoNotAnswer = "Can't read: several folders don't answer."

  /// Shown while the server is searched for names like `typed`.
  static func lookingUp(_ typed: String) -> String { "Looking up \(typed)…" }

  // MARK: State

  static let fetching = "Fetching…"
  static let posting = "Posting…"

  static func activity(of composer: EntryComposer) -> String? {
    switch composer.activity {
    case .writing: nil
    case .fetching: fetching
    case .sending:
      switch composer.purpose {
      case .new, .reply, .quote: posting
      case .edit: FormWords.saving
      case .message, .conversation: "Sending…"
      }
    }
  }

  static let audienceOpen = "Who may read it? \(Action.entryVisibility.key) chooses"
  static let mentionsNobody = "Direct, no recipients yet"
  static func directOnly(to names: String) -> String { "Direct, only \(names)" }

  /// Returns descriptions of the entry's audience, the most detailed first.
  static func audiences(of composer: EntryComposer) -> [String] {
    let visibility = composer.entry.visibility
    if composer.isAudienceOpen {
      return ["\(audienceOpen) (your default is not known)", audienceOpen, "\(Action.entryVisibility.key)?"]
    }
    return switch visibility {
    case .direct: privately(to: composer.recipients)
    case .unlisted: [words(for: visibility), "Unlisted, everyone", name(of: visibility)]
    case .public, .private: [words(for: visibility), name(of: visibility)]
    }
  }

  /// Returns the visibility in one word.
  nonisolated public static func name(of visibility: Visibility) -> String {
    switch visibility {
    case .public: "Public"
    case .unlisted: "Unlisted"
    case .private: "Followers"
    case .direct: "Direct"
    }
  }

  /// Returns the visibility and its audience.
  static func words(for visibility: Visibility) -> String {
    switch visibility {
    case .public: "Public, everyone"
    case .unlisted: "Unlisted, not in public timelines"
    case .private: "Followers only"
    case .direct: "Direct, only people it mentions"
    }
  }

  /// Shown when the account's default visibility was loaded after the user tried to post without one.
  static func visibilityKnown(_ visibility: Visibility) -> String {
    "Not posted yet. Visibility is \(name(of: visibility)) now; \(Action.entrySend.key) posts."
  }

  /// Returns descriptions of a direct message's recipients: all names, or some names and a count.
  private static func privately(to recipients: [String]) -> [String] {
    guard !recipients.isEmpty else {
      return [mentionsNobody, "Direct, no one yet", "Direct"]
    }
    let names = recipients.map { "@\($0)" }
    let all = names.joined(separator: ", ")
    var choices = [directOnly(to: all), "Direct to \(all)"]
    for count in stride(from: names.count - 1, to: 0, by: -1) {
      choices.append("Direct to \(names.prefix(count).joined(separator: ", ")) and \(names.count - count) more")
    }
    if names.count > 1 { choices.append("Direct to \(names.count) people") }
    return choices
  }
}
