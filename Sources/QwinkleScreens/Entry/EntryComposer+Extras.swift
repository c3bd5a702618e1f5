import FoundationEssentials
import QwinkleAccount
public import QwinkleModel
import QwinkleService
import SafeText
import Timekeeping

/// What goes with an entry's text: files, a poll, and when the server publishes it.
extension EntryComposer {
  /// The files that the server has for it.
  public var attachmentIDs: [String] {
    get { entry.attachmentIDs }
    set { change { $0.attachmentIDs = newValue } }
  }

  /// What is known of each file of the entry: what was `saved` with it, else what the qwink to edit says.
  func knownFiles(among saved: [OutgoingFile]?) -> [OutgoingFile] {
    var known = saved ?? []
    if case .edit(let qwink) = purpose { known += qwink.attachments.map { OutgoingFile($0) } }
    return attachmentIDs.map { id in known.first { $0.id == id } ?? OutgoingFile(id: id) }
  }

  /// What is saved of its files; nil: it has none.
  var keptFiles: [OutgoingFile]? {
    let kept = files.filter { attachmentIDs.contains($0.id) }
    return kept.isEmpty ? nil : kept
  }

  /// Its poll; nil if it has none.
  public var poll: EntryPoll? {
    get { entry.poll }
    set { change { $0.poll = newValue } }
  }

  private func pollRefusal(_ poll: EntryPoll) -> String? {
    if purpose.isEdit { return EntryWords.pollNotAdded }
    if !attachmentIDs.isEmpty || hasGivenFiles { return EntryFileWords.pollOrFiles }
    return account.connection.refusal(of: .polls) ?? limits.polls.refusal(of: poll)
  }

  /// The reason why its poll can't be posted; nil if the poll can be, or without a poll.
  var pollProblem: String? { entry.poll.flatMap(pollRefusal) }

  /// When the server publishes it, as typed; empty: at once.
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

  /// The reason why it can't be published at the typed time; nil if it can, or if no time was typed.
  var timeProblem: String? {
    let text = publishTime.trimmed()
    guard !text.isEmpty else { return nil }
    if publishDate == nil { return EntryWords.noTime(text) }
    return purpose.isEdit ? EntryWords.editsNow : account.connection.refusal(of: .scheduledPosts)
  }

  /// Why its language can't be sent; nil if it can.
  var languageProblem: String? {
    language.isEmpty || LanguageCode.isCode(language) ? nil : EntryProblem.noLanguage(language).sentence
  }

  /// Has the server publish it later.
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
