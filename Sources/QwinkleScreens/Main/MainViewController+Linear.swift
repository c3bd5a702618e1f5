import PaneKit
import QwinkleAccount

/// What is said besides what the bars say, where text is only appended.
extension MainViewController {
  var saidTexts: [LinearText] {
    [LinearText(.greeting, [greeting])] + (unread.isEmpty ? [] : [LinearText(.status, [unread])])
  }

  /// Where one is at the start, and enough keys to go on.
  private var greeting: String {
    let start = "Qwinkle, \(section.number) \(section.title)\(account.isSignedIn ? "" : ", signed out")."
    let actions: [Action] = [.listNext, .listPrevious, .open] + (account.isSignedIn ? [.compose] : []) + [.help]
    let inForce = keysInForce
    var keys = actions.compactMap { action in
      inForce.hint(for: action).map { "\($0.key) \($0.word)" }
    }
    // At the root, going back is how one leaves.
    if let back = inForce.hint(for: .back) { keys.append("\(back.key) quit") }
    return "\(start) \(keys.joined(separator: ", "))."
  }

  /// What waits elsewhere.
  private var unread: String {
    let parts = sections.compactMap { section -> String? in
      let count = section == self.section ? 0 : unreadCount(in: section)
      return count == 0 ? nil : "\(count) in \(section.title)"
    }
    return parts.isEmpty ? "" : "Unread: \(parts.joined(separator: ", "))."
  }
}
