import FoundationEssentials
import PaneKit
import QwinkleModel
import QwinkleTesting
import Terminal
import Testing
import Timekeeping

@testable import QwinkleScreens

/// The rows of a poll, with bars and numbers in columns.
@MainActor
@Suite struct PollLayoutTests {
  private static let now = Date(timeIntervalSince1970: 1_795_132_800)

  private func poll(_ titles: [String], votes: [Int] = [18, 7, 4, 1200], endsIn seconds: Double = 7300) -> Poll {
    let options = zip(titles, votes).map { Poll.Option(title: $0, votesCount: $1) }
    let count = options.compactMap(\.votesCount).reduce(0, +)
    return Poll(
      id: "1", options: options, expiresAt: Self.now.addingTimeInterval(seconds), votesCount: count, hasVoted: true,
      ownVotes: [0])
  }

  private func rows(_ poll: Poll, columns: Int, titleRows: Int = 1) -> [String] {
    let data = data(of: poll)
    return PollLayout(data, columns: columns).lines(titleRows: titleRows).map { $0.map(\.text).joined() }
  }

  private func data(of poll: Poll) -> PollCellData {
    let state = QwinkDescription.PollState(poll, at: Self.now)
    return PollCellData(state, footer: PollWords.state(of: state, at: Self.now))
  }

  @Test func `options have a bar, a share and a number of votes in columns`() {
    #expect(
      rows(poll(["tmux", "zellij", "screen"]), columns: 60) == [
        "◉ tmux    ███████████████████▉░░░░░░░░░░░░   62 %  18",
        "○ zellij  ███████▊░░░░░░░░░░░░░░░░░░░░░░░░   24 %   7",
        "○ screen  ████▍░░░░░░░░░░░░░░░░░░░░░░░░░░░   14 %   4",
        "29 votes · ends in 2 h",
      ])
  }

  @Test(arguments: [24, 33, 37, 40, 60, 80])
  func `wide and long titles don't move the numbers`(columns: Int) {
    let titles = ["Tea", "日本のお茶", String(repeating: "Elderflower and lime ", count: 6), "🎉🎉"]
    let rows = rows(poll(titles), columns: columns)
    #expect(rows.count == 5)
    let widths = rows.dropLast().map { DisplayWidth.columns(of: $0) }
    #expect(Set(widths).count == 1 && widths[0] <= columns, "\(rows)")
    #expect(rows[2].contains("…") && rows.dropLast().allSatisfy { $0.contains(" %  ") }, "\(rows)")
  }

  @Test func `the bar is left out before titles become short`() {
    let titles = ["Elderflower and lime", "Tea"]
    #expect(
      rows(poll(titles), columns: 37).prefix(2) == [
        "◉ Elderflower and lime   72 %  18", "○ Tea                    28 %   7",
      ])
    #expect(rows(poll(titles), columns: 60)[0].contains("◉ Elderflower and lime  ██"))
    #expect(rows(poll(["Yes", "No"]), columns: 37)[0] == "◉ Yes  █████████████▋░░░░░   72 %  18")
  }

  @Test func `a title that is truncated anyway makes room for the bar`() {
    let rows = rows(poll([String(repeating: "Elderflower and lime ", count: 6), "Tea"]), columns: 37)
    #expect(rows.prefix(2) == ["◉ Elderflower …   █████▊░░   72 %  18", "○ Tea             ██▎░░░░░   28 %   7"])
  }

  @Test func `only the bar of the user's vote is coloured`() {
    let lines = PollLayout(data(of: poll(["Tea", "Coffee", "Milk"])), columns: 60).lines(titleRows: 1)
    let bars = lines.dropLast().map { line in line.first { $0.text.contains("█") }?.attribute }
    #expect(bars == [.accent, .dim, .dim])
  }

  @Test func `the thread shows whole titles`() {
    let title = (0..<20).map { "word\($0)" }.joined(separator: " ")
    let rows = rows(poll([title, "Tea"]), columns: 40, titleRows: .max)
    #expect(rows[0].hasPrefix("◉ word0") && rows[1].hasPrefix("  word"))
    for word in title.split(separator: " ") { #expect(rows.contains { $0.contains(word) }, "\(word)") }
    #expect(rows.count { $0.contains("%") } == 2)
  }

  @Test func `options have numbers but no results before the user votes`() {
    var poll = poll(["Tea", "Coffee"])
    (poll.hasVoted, poll.ownVotes) = (false, [])
    let vote = PollWords.vote.map(\.text).joined()
    #expect(rows(poll, columns: 60) == ["○ 1 Tea", "○ 2 Coffee", "25 votes · ends in 2 h\(vote)"])
    let footer = PollLayout(data(of: poll), columns: 60).lines(titleRows: 1).last
    #expect(footer?.first { $0.attribute == .key }?.text == Action.vote.key)
    #expect(rows(poll, columns: 8)[1] == "○ 2 Cof…")
  }

  @Test func `shares are of the voters if several choices are allowed`() {
    var poll = poll(["Tea", "Coffee"], votes: [3, 1])
    #expect(data(of: poll).options.map(\.share) == [0.75, 0.25])
    poll.allowsSeveral = true
    poll.votersCount = 3
    #expect(data(of: poll).options.map(\.share) == [1, 1 / 3])
    #expect(data(of: self.poll(["Tea", "Coffee"], votes: [0, 0])).options.map(\.share) == [0, 0])
  }

  /// Seconds until the end, and the state.
  @Test(arguments: [
    (30.0, "25 votes · ends in 1 min"), (900, "25 votes · ends in 15 min"), (90_000, "25 votes · ends in 25 h"),
    (259_300, "25 votes · ends in 3 days"), (-1, "25 votes · closed"),
  ])
  func `the state names the time until the end`(seconds: Double, state: String) {
    #expect(rows(poll(["Tea", "Coffee"], endsIn: seconds), columns: 60).last == state)
  }

  @Test func `linear form names the vote and the results without a bar`() {
    var qwink = Qwink.sample(text: "Which?", at: Self.now)
    qwink.poll = poll(["Tea", "Coffee"])
    let cell = QwinkCellData(qwink, isRevealed: true, now: Self.now, zone: .gmt)
    let words = QwinkCell(cell).words(forColumns: 80) ?? []
    #expect(words.contains("your vote: Tea, 72 %, 18 votes"), "\(words)")
    #expect(words.contains("Coffee, 28 %, 7 votes"), "\(words)")
    let whole = WholeQwinkCell(WholeQwink(open: qwink)).words(forColumns: 80) ?? []
    #expect(whole.contains("your vote: Tea, 72 %, 18 votes"), "\(whole)")
  }

  @Test func `a warning hides the poll`() {
    var qwink = Qwink.sample(text: "Which?", at: Self.now)
    qwink.poll = poll(["Tea", "Coffee"])
    qwink.contentWarning = "Drinks"
    for density in Density.allCases {
      let data = QwinkCellData(qwink, isRevealed: false, now: Self.now, zone: .gmt)
      let lines = QwinkCellLayout(data, columns: 80, density: density).lines
      #expect(!lines.flatMap(\.runs).contains { $0.text.contains("Tea") })
    }
  }
}
