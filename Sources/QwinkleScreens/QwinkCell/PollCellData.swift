import QwinkleModel

/// The content of a poll's rows, made from the model.
struct PollCellData: Hashable {
  struct Option: Hashable {
    var title: String
    /// Whether the user chose it.
    var isOwn: Bool
    /// Nil while results are hidden.
    var votes: Int?
    /// Share of the voters who chose it, 0 to 1. Nil while results are hidden.
    var share: Double?
  }

  var options: [Option]
  /// Whether options have numbers, by which the user can vote.
  var hasNumbers: Bool
  /// The number of votes and the end.
  var footer: String

  init(_ state: QwinkDescription.PollState, footer: String) {
    let poll = state.poll
    // With several choices, shares are of the people, if the server counts them.
    let whole = poll.allowsSeveral ? poll.votersCount ?? poll.votesCount : poll.votesCount
    options = poll.options.enumerated().map { index, option in
      let votes = state.showsResults ? option.votesCount : nil
      let share = votes.map { whole > 0 ? min(1, Double($0) / Double(whole)) : 0 }
      return Option(title: option.title, isOwn: poll.ownVotes.contains(index), votes: votes, share: share)
    }
    hasNumbers = !state.showsResults
    self.footer = footer
  }
}
