import FoundationEssentials
import SafeText

/// The form in which the user writes a poll, as typed: a row for each option, a duration and two choices.
public struct PollForm: Hashable, Sendable, Codable {
  public static let minimumOptions = 2

  /// At least ``minimumOptions`` texts, which may be empty.
  public var options: [String]
  /// Empty for ``EntryPoll/usualSeconds``.
  public var duration = ""
  public var allowsSeveral = false
  public var hidesTotals = false

  /// Creates the form of a poll, or an empty form.
  public init(_ poll: EntryPoll? = nil) {
    options = poll?.options ?? []
    padOptions()
    guard let poll else { return }
    if poll.seconds > 0, poll.seconds != EntryPoll.usualSeconds { duration = EntryPoll.words(poll.seconds) }
    allowsSeveral = poll.allowsSeveral
    hidesTotals = poll.hidesTotals
  }

  private mutating func padOptions() {
    while options.count < Self.minimumOptions { options.append("") }
  }

  // MARK: The poll

  public var isEmpty: Bool { options.allSatisfy(\.isEmpty) && duration.isEmpty && !allowsSeveral && !hidesTotals }

  /// The poll to post, or nil if all options are blank. Blank options at the end are left out. If the duration can't be
  /// parsed, the poll lasts 0 seconds, which no server accepts.
  public var poll: EntryPoll? {
    let form = split
    let titles = form.options.map { $0.trimmed() }
    guard let last = titles.lastIndex(where: { !$0.isEmpty }) else { return nil }
    return EntryPoll(
      options: Array(titles[...last]), seconds: form.seconds ?? 0, allowsSeveral: form.allowsSeveral,
      hidesTotals: form.hidesTotals)
  }

  private var seconds: Int? { duration.isBlank ? EntryPoll.usualSeconds : EntryPoll.seconds(in: duration) }

  /// The form with a row for each part of a whole poll, such as `Tea | Coffee | 3d`, if that is the only option.
  public var split: PollForm {
    let filled = options.filter { !$0.isBlank }
    guard filled.count == 1, filled[0].contains("|"), let typed = EntryPoll(typed: filled[0]) else { return self }
    var form = PollForm(typed)
    if form.duration.isEmpty { form.duration = duration }
    form.allowsSeveral = form.allowsSeveral || allowsSeveral
    form.hidesTotals = form.hidesTotals || hidesTotals
    return form
  }

  /// The first reason that the poll can't be posted.
  public func problem(limits: ServerInfo.PollLimits) -> PollProblem? {
    guard let poll, let problem = limits.problem(with: poll) else { return nil }
    guard problem.place == .duration, seconds == nil else { return problem }
    return PollProblem(.duration, "“\(duration)” isn't a duration of a poll, such as 30m, 8h or 3 days.")
  }

  /// The poll in one row, without blank options.
  public var summary: String {
    let ends = [duration.isBlank ? EntryPoll.words(EntryPoll.usualSeconds) : duration]
    let choices = (allowsSeveral ? [EntryPoll.several] : []) + (hidesTotals ? [EntryPoll.hidden] : [])
    return (options.filter { !$0.isBlank } + ends + choices).joined(separator: " | ")
  }

  // MARK: Editing

  /// Removes an option, unless only ``minimumOptions`` are left. Returns whether it was removed.
  public mutating func removeOption(at index: Int) -> Bool {
    guard options.count > Self.minimumOptions, options.indices.contains(index) else { return false }
    options.remove(at: index)
    return true
  }

  /// Inserts lines of text between `before` and `after`, the parts of the option at `index`. Each line becomes an
  /// option. Returns the index of the last one.
  public mutating func insert(_ lines: [String], at index: Int, before: String, after: String) -> Int {
    guard options.indices.contains(index), var last = lines.last else { return index }
    last += after
    let inserted = lines.count == 1 ? [before + last] : [before + lines[0]] + lines[1..<(lines.count - 1)] + [last]
    options.replaceSubrange(index...index, with: inserted)
    // The new options fill the empty rows below them.
    while options.count > Self.minimumOptions, options.last?.isEmpty == true { options.removeLast() }
    return index + inserted.count - 1
  }

  // MARK: Saving

  /// Decodes the form saved as `text` with a draft whose poll is `poll`. If `text` is empty, as in drafts of earlier
  /// versions, creates the form of the poll.
  public init(saved text: String, with poll: EntryPoll?) {
    if !text.isEmpty, let form = try? JSONDecoder().decode(PollForm.self, from: Data(text.utf8)), form.poll == poll,
      form.options.count >= Self.minimumOptions
    {
      self = form
    } else {
      self.init(poll)
    }
  }

  /// The text to save with a draft. Empty if the form has no more than its poll.
  public var saved: String {
    let encoder = JSONEncoder()
    // Equal forms have equal texts.
    encoder.outputFormatting = .sortedKeys
    guard !isEmpty, self != PollForm(poll), let data = try? encoder.encode(self) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
