import FoundationEssentials
import PaneKit
import QwinkleModel
import Terminal

/// Strings of a poll.
enum PollWords {
  static let chosen = "◉"
  static let notChosen = "○"
  /// The hint after the state of a poll in which the user can vote.
  static let vote: [TextRun<StyleRole>] = [
    TextRun(" · ", .dim), TextRun(Action.vote.key, .key), TextRun(" vote", .dim),
  ]

  /// Returns the number of votes and the end, such as `29 votes · ends in 2 h`.
  static func state(of state: QwinkDescription.PollState, at now: Date) -> String {
    let count = Counted.words(state.poll.votesCount, "vote")
    if state.isClosed { return "\(count) · closed" }
    return state.poll.expiresAt.map { "\(count) · ends in \(remaining($0.timeIntervalSince(now)))" } ?? count
  }

  static func share(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  /// The results of an option in linear form.
  static func spoken(_ share: Double, votes: Int) -> String {
    ", \(self.share(share)), \(Counted.words(votes, "vote"))"
  }

  /// Returns `12 min`, `2 h` or `3 days`.
  private static func remaining(_ seconds: TimeInterval) -> String {
    switch seconds {
    case ..<3600: "\(max(1, Int((seconds / 60).rounded()))) min"
    case ..<172_800: "\(Int((seconds / 3600).rounded())) h"
    default: "\(Int((seconds / 86_400).rounded())) days"
    }
  }
}
