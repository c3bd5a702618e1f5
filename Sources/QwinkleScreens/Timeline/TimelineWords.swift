import FoundationEssentials
import PaneKit
import QwinkleModel
import QwinkleService
import Terminal

/// What a timeline says of its own state.
enum TimelineWords {
  static func title(of name: TimelineName) -> String {
    switch name {
    case .public: "Public"
    case .local: "Local"
    case .home: "Home"
    case .tag(let tag): "#\(tag)"
    case .qwinker: "Qwinks"
    }
  }

  /// What stands where no rows are.
  @MainActor
  static func placeholder(for name: TimelineName, state: FeedState) -> [[TextRun<StyleRole>]] {
    if let error = state.error {
      return [[TextRun(error.sentence, .error)], [], keyLine("R", "tries again", "?", "shows all keys")]
    }
    if state.refreshedAt == nil {
      return [[TextRun("Fetching the \(title(of: name).lowercased()) timeline…", .dim)]]
    }
    switch name {
    case .home:
      return [
        [TextRun("Nobody you follow has written yet.", .text)], [],
        keyLine("1", "goes to the public timeline", "c", "writes a qwink"),
      ]
    default:
      return [
        [TextRun("Nobody has written here yet.", .text)], [],
        keyLine("c", "writes the first qwink", "R", "looks again"),
      ]
    }
  }

  /// What stands below the last row.
  static func footer(for state: FeedState, isAtEnd: Bool) -> [TextRun<StyleRole>] {
    if state.isLoadingMore { return [TextRun("Fetching older qwinks…", .dim)] }
    if isAtEnd { return [TextRun("That is all there is.", .dim)] }
    return []
  }

  private static func keyLine(_ words: String...) -> [TextRun<StyleRole>] {
    var runs: [TextRun<StyleRole>] = []
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      if !runs.isEmpty { runs.append(TextRun("   ", .dim)) }
      runs += [TextRun(words[index], .key), TextRun(" " + words[index + 1], .dim)]
    }
    return runs
  }
}
