public import FoundationEssentials
import SafeText

/// Compares a sent entry with the server's copy, because some servers silently ignore parts of an entry.
extension Entry {
  /// Allowed difference, in seconds, between sent and stored publication times and poll durations.
  private static let timeTolerance: TimeInterval = 120

  /// Returns the parts that the server stored differently. If this entry is an edit, `before` is the qwink before the
  /// edit. `altTexts` are the descriptions that were sent with the attachments, in order.
  public func differences(
    in stored: Qwink, insteadOf before: Qwink? = nil, altTexts: [String] = []
  ) -> [StoredDifference] {
    let stored = stored.original
    let content = StoredContent(
      hasText: MessageText.contains(text, in: stored.text.plainText), isTextEmpty: stored.text.isEmpty,
      contentWarning: stored.contentWarning, isSensitive: stored.isSensitive, visibility: stored.visibility,
      language: stored.language, hasParent: stored.inReplyTo != nil, attachments: stored.attachments,
      poll: stored.poll.map { poll in
        StoredContent.Poll(
          options: poll.options.map(\.title), allowsSeveral: poll.allowsSeveral,
          seconds: poll.expiresAt?.timeIntervalSince(stored.createdAt))
      })
    var differences = differences(in: content, insteadOf: before, altTexts: altTexts)
    if let before {
      if before.text == stored.text, !MessageText.isSame(text, as: before) {
        differences.removeAll { $0.part == .text }
        differences.insert(StoredDifference(.text, .unchanged), at: 0)
      }
      if before.quote?.id != nil, stored.quote == nil { differences.append(StoredDifference(.quote, .missing)) }
    }
    if quotedID != nil, before == nil, stored.quote == nil { differences.append(StoredDifference(.quote, .missing)) }
    if let quotePolicy, visibility.hasQuotePolicy, stored.quoteApproval?.policy != quotePolicy {
      differences.append(StoredDifference(.quotePolicy, stored.quoteApproval == nil ? .missing : .changed))
    }
    return differences
  }

  /// Returns the parts of a scheduled entry that the server stored differently. `date` is the requested publication
  /// time.
  public func differences(in stored: ScheduledPost, at date: Date, altTexts: [String] = []) -> [StoredDifference] {
    let content = StoredContent(
      hasText: MessageText.contains(text, in: stored.text), isTextEmpty: stored.text.isEmpty,
      contentWarning: stored.contentWarning, isSensitive: nil, visibility: stored.visibility,
      language: stored.language, hasParent: stored.inReplyTo != nil, attachments: stored.attachments,
      poll: stored.poll.map { poll in
        StoredContent.Poll(
          options: poll.options, allowsSeveral: poll.allowsSeveral,
          seconds: poll.seconds > 0 ? TimeInterval(poll.seconds) : nil)
      })
    var differences = differences(in: content, insteadOf: nil, altTexts: altTexts)
    if abs(stored.publishAt.timeIntervalSince(date)) > Self.timeTolerance {
      differences.append(StoredDifference(.time, .changed))
    }
    if quotedID != nil, stored.quotedID?.rawValue != quotedID { differences.append(StoredDifference(.quote, .missing)) }
    if let quotePolicy, visibility.hasQuotePolicy, stored.quotePolicy != quotePolicy {
      differences.append(StoredDifference(.quotePolicy, stored.quotePolicy == nil ? .missing : .changed))
    }
    return differences
  }

  private func differences(
    in stored: StoredContent, insteadOf before: Qwink?, altTexts: [String]
  ) -> [StoredDifference] {
    var differences: [StoredDifference] = []
    if !stored.hasText { differences.append(StoredDifference(.text, stored.isTextEmpty ? .missing : .changed)) }
    let warning = warningDifference(stored.contentWarning, insteadOf: before)
    if let warning { differences.append(warning) }
    if warning == nil, let isStored = stored.isSensitive {
      if isSensitive, contentWarning.isEmpty, !isStored {
        differences.append(StoredDifference(.sensitivity, .missing))
      } else if before != nil, !isSensitive, contentWarning.isEmpty, isStored {
        // Check only edits: the account's default may have made a new qwink sensitive.
        differences.append(StoredDifference(.sensitivity, .unchanged))
      }
    }
    // Accept `private` for a direct entry, because some servers report direct qwinks as private.
    if let actual = stored.visibility, actual != visibility, !(visibility == .direct && actual == .private) {
      differences.append(StoredDifference(.visibility, .changed, value: actual.words))
    }
    if let language, !language.isEmpty, !Self.isSameLanguage(language, stored.language) {
      differences.append(
        StoredDifference(.language, stored.language == nil ? .missing : .changed, value: stored.language ?? ""))
    }
    if let poll { differences += Self.differences(of: poll, in: stored.poll, isEdit: before != nil) }
    differences += fileDifferences(stored.attachments, altTexts)
    if (before?.inReplyTo?.rawValue ?? inReplyTo) != nil, !stored.hasParent {
      differences.append(StoredDifference(.parent, .missing))
    }
    return differences
  }

  private func warningDifference(_ stored: String, insteadOf before: Qwink?) -> StoredDifference? {
    func essence(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    guard essence(stored) != essence(contentWarning) else { return nil }
    if let before, !before.contentWarning.isEmpty, essence(stored) == essence(before.contentWarning) {
      return StoredDifference(.contentWarning, .unchanged)
    }
    return StoredDifference(.contentWarning, stored.isEmpty ? .missing : .changed, value: stored)
  }

  /// Whether both codes name the same language. Regions are ignored, because servers may store `en` for `en-GB`.
  private static func isSameLanguage(_ sent: String, _ stored: String?) -> Bool {
    func base(_ code: String) -> String { code.lowercased().split(separator: "-").first.map(String.init) ?? "" }
    return stored.map { base($0) == base(sent) } ?? false
  }

  private static func differences(
    of poll: EntryPoll, in stored: StoredContent.Poll?, isEdit: Bool
  ) -> [StoredDifference] {
    guard let stored else { return [StoredDifference(.poll, .missing)] }
    var differences: [StoredDifference] = []
    if stored.options.map({ $0.trimmed() }) != poll.options.map({ $0.trimmed() }) {
      differences.append(StoredDifference(.pollOptions, .changed))
    }
    if stored.allowsSeveral != poll.allowsSeveral { differences.append(StoredDifference(.pollChoices, .changed)) }
    // Don't compare the end of an edited poll: its time runs from the edit, not from the qwink's creation.
    guard !isEdit else { return differences }
    if let seconds = stored.seconds {
      if abs(seconds - TimeInterval(poll.seconds)) > timeTolerance {
        differences.append(StoredDifference(.pollEnd, .changed))
      }
    } else {
      differences.append(StoredDifference(.pollEnd, .missing))
    }
    return differences
  }

  private func fileDifferences(_ stored: [Attachment], _ altTexts: [String]) -> [StoredDifference] {
    guard stored.count == attachmentIDs.count else {
      let isMissing = stored.count < attachmentIDs.count
      let value = "\(stored.count) of \(attachmentIDs.count)"
      return [StoredDifference(.files, isMissing ? .missing : .unchanged, value: isMissing ? value : "")]
    }
    func essence(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    let kinds = zip(stored, altTexts).compactMap { attachment, sent -> StoredDifference.Kind? in
      let actual = essence(attachment.altText ?? "")
      guard !essence(sent).isEmpty, actual != essence(sent) else { return nil }
      return actual.isEmpty ? .missing : .changed
    }
    guard let kind = kinds.first(where: { $0 == .missing }) ?? kinds.first else { return [] }
    return [StoredDifference(.altTexts, kind)]
  }
}

/// The stored parts of a qwink or a scheduled post, for ``Entry/differences(in:insteadOf:altTexts:)``.
private struct StoredContent {
  struct Poll {
    var options: [String]
    var allowsSeveral: Bool
    /// Duration of the poll. Nil if it never ends.
    var seconds: TimeInterval?
  }

  var hasText: Bool
  var isTextEmpty: Bool
  var contentWarning: String
  /// Nil for a scheduled post, because ``ScheduledPost`` doesn't contain it.
  var isSensitive: Bool?
  var visibility: Visibility?
  var language: String?
  var hasParent: Bool
  var attachments: [Attachment]
  var poll: Poll?
}

extension Visibility {
  fileprivate var words: String {
    switch self {
    case .public: "public"
    case .unlisted: "unlisted"
    case .private: "for followers"
    case .direct: "direct"
    }
  }
}
