import SafeText

extension EntryPoll {
  private static let usualSeconds = 86_400
  private static let several = "several"
  private static let hidden = "hidden"

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
      } else if let seconds = Self.seconds(last) {
        poll.seconds = seconds
      } else {
        break
      }
      parts.removeLast()
    }
    poll.options = parts
    self = poll
  }

  /// The poll in the form that ``init(typed:)`` parses.
  public var typed: String {
    // After a single option, the duration would be parsed as an option too.
    guard options.count > 1 else { return options.joined() }
    let ends = [Self.words(seconds)] + (allowsSeveral ? [Self.several] : []) + (hidesTotals ? [Self.hidden] : [])
    return (options + ends).joined(separator: " | ")
  }

  private static let units: [(Character, Int)] = [("d", 86_400), ("h", 3600), ("m", 60)]

  private static func seconds(_ text: String) -> Int? {
    guard let unit = units.first(where: { $0.0 == text.last }), text.utf8.count <= 6, let count = Int(text.dropLast()),
      count > 0
    else { return nil }
    return count * unit.1
  }

  private static func words(_ seconds: Int) -> String {
    let unit = units.first { seconds % $0.1 == 0 } ?? ("m", 60)
    return "\(seconds / unit.1)\(unit.0)"
  }
}
