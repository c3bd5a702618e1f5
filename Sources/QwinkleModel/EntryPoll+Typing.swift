import SafeText

extension EntryPoll {
  static let several = "several"
  static let hidden = "hidden"

  /// Parses a typed poll: options, duration and flags, separated by bars, such as `Tea | Coffee | 3d | several |
  /// hidden`. Returns nil if the text has no options.
  public init?(typed text: String) {
    var parts = text.split(separator: "|", omittingEmptySubsequences: false).map { String($0).trimmed() }
    if parts.last?.isEmpty == true { parts.removeLast() }
    guard parts.contains(where: { !$0.isEmpty }) else { return nil }
    var poll = EntryPoll(options: [], seconds: Self.usualSeconds)
    while parts.count > 2, let last = parts.last {
      if last == Self.several {
        poll.allowsSeveral = true
      } else if last == Self.hidden {
        poll.hidesTotals = true
      } else if let seconds = Self.shortDuration(last) {
        poll.seconds = seconds
      } else {
        break
      }
      parts.removeLast()
    }
    poll.options = parts
    self = poll
  }

  /// Parses a duration of digits and one letter. A longer one is an option, such as `3 days`.
  private static func shortDuration(_ text: String) -> Int? {
    guard let unit = text.last, "dhm".contains(unit), text.dropLast().allSatisfy(\.isNumber) else { return nil }
    return seconds(in: text)
  }
}
