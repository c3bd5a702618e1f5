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
    case .marks: "Marks"
    case .favourites: "Favourites"
    }
  }

  /// What stands where no rows are.
  @MainActor
  static func placeholder(for name: TimelineName, state: FeedState) -> [[TextRun<StyleRole>]] {
    if let error = state.error {
      return [[TextRun(error.sentence, .error)], []] + keyLines(("R", "tries again"), ("?", "shows all keys"))
    }
    if state.wasCancelled, state.refreshedAt == nil {
      return [[TextRun("Fetching was given up.", .text)], []] + keyLines(("R", "tries again"))
    }
    if state.refreshedAt == nil {
      return [[TextRun("Fetching the \(title(of: name).lowercased()) timeline…", .dim)]]
    }
    switch name {
    case .home:
      return [
        [TextRun("Nobody you follow has written yet.", .text)], [],
      ] + keyLines(("1", "goes to the public timeline"), ("c", "writes a qwink"))
    default:
      return [[TextRun("Nobody has written here yet.", .text)], []]
        + keyLines(("c", "writes the first qwink"), ("R", "looks again"))
    }
  }

  /// What stands below the last row.
  static func footer(for state: FeedState, isAtEnd: Bool) -> [TextRun<StyleRole>] {
    if state.isLoadingMore { return [TextRun("Fetching older qwinks…", .dim)] }
    if isAtEnd { return [TextRun("That is all there is.", .dim)] }
    return []
  }

  /// Keys with what they do, one a line.
  private static func keyLines(_ words: (String, String)...) -> [[TextRun<StyleRole>]] {
    words.map { [TextRun($0, .key), TextRun(" \($1)", .dim)] }
  }
}
