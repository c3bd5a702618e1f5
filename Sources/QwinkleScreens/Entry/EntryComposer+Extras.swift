import FoundationEssentials
import QwinkleAccount
public import QwinkleModel
import QwinkleService
import SafeText
import Timekeeping

/// Additions to an entry's text: files, a poll, and a publication time.
extension EntryComposer {
  /// The ids of the entry's files that are already on the server.
  public var attachmentIDs: [String] {
    get { entry.attachmentIDs }
    set { change { $0.attachmentIDs = newValue } }
  }

  /// Returns the details of each file in `attachmentIDs`, from `saved` or from the qwink being edited. Returns only the
  /// id if neither has the file.
  func knownFiles(among saved: [OutgoingFile]?) -> [OutgoingFile] {
    var known = saved ?? []
    if case .edit(let qwink) = purpose { known += qwink.attachments.map { OutgoingFile($0) } }
    return attachmentIDs.map { id in known.first { $0.id == id } ?? OutgoingFile(id: id) }
  }

  /// The file details to save with the draft. Nil if the entry has no files.
  var savedFiles: [OutgoingFile]? {
    let attached = files.filter { attachmentIDs.contains($0.id) }
    return attached.isEmpty ? nil : attached
  }

  /// The entry's poll, if any.
  public var poll: EntryPoll? { entry.poll }

  /// The form of the entry's poll.
  var pollForm: PollForm {
    get { PollForm(saved: text(of: .poll), with: poll) }
    set {
      guard newValue != pollForm else { return }
      setText(newValue.saved, of: .poll)
      change { $0.poll = newValue.poll }
      clearMessages()
    }
  }

  /// Whether the form of the poll has more than the poll, such as a duration without options.
  var hasTypedPoll: Bool { fieldTexts[.poll] != nil }

  /// The reason the entry's poll can't be posted, if any.
  var pollProblem: String? {
    guard poll != nil else { return nil }
    if purpose.isEdit { return EntryWords.pollNotAdded }
    if !attachmentIDs.isEmpty || hasGivenFiles { return EntryFileWords.pollOrFiles }
    return account.connection.refusal(of: .polls) ?? pollForm.problem(limits: limits.polls)?.sentence
  }

  /// The publication time as typed. Empty means at once.
  public var publishTime: String {
    get { text(of: .time) }
    set {
      guard newValue != publishTime else { return }
      setText(newValue, of: .time)
      clearMessages()
    }
  }

  private var publishDate: Date? {
    TypedTime.future(publishTime.trimmed(), at: account.clock.now, in: account.timeZone)
  }

  /// The reason the entry can't be published at the typed time, if any.
  var timeProblem: String? {
    let text = publishTime.trimmed()
    guard !text.isEmpty else { return nil }
    if publishDate == nil { return EntryWords.noTime(text) }
    return purpose.isEdit ? EntryWords.editsNow : account.connection.refusal(of: .scheduledPosts)
  }

  /// The problem to show if the entry's language isn't a valid language code.
  var languageProblem: String? {
    language.isEmpty || LanguageCode.isCode(language) ? nil : EntryProblem.noLanguage(language).sentence
  }

  /// Sends the entry to the server for publication at the typed time.
  func schedule() {
    guard timeProblem == nil, let date = publishDate else { return fail(timeProblem) }
    activity = .sending
    delegate?.composerDidChange(self)
    fetch = account.schedule(rules.outgoing(entry), at: date) { [weak self] in self?.take($0) }
  }

  private func take(_ result: Result<Scheduling, SchedulingError>) {
    guard activity == .sending else { return }
    fetch = nil
    switch result {
    case .success(let scheduling):
      keeper.forget()
      beginAnew()
      delegate?.composer(self, didSchedule: scheduling)
    case .failure(let error):
      activity = .writing
      fail(error.sentence(listedBy: EntryWords.scheduledList))
    }
  }
}
