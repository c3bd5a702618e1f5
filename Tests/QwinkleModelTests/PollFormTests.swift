import QwinkleModel
import Testing

/// The form of a poll, as typed.
@Suite struct PollFormTests {
  private static func form(
    _ options: [String], _ duration: String = "", several: Bool = false, hidden: Bool = false
  ) -> PollForm {
    var form = PollForm()
    form.options = options
    form.duration = duration
    form.allowsSeveral = several
    form.hidesTotals = hidden
    return form
  }

  private static let day = EntryPoll.usualSeconds

  /// Forms and their polls.
  private static let polls: [(PollForm, EntryPoll?)] = [
    (form([" Tea ", "Coffee", ""]), EntryPoll(options: ["Tea", "Coffee"], seconds: day)),
    (form(["", "Tea"]), EntryPoll(options: ["", "Tea"], seconds: day)),
    (form(["Tea", ""], " 3 Days "), EntryPoll(options: ["Tea"], seconds: 3 * day)),
    (form(["Tea", "Coffee"], "so"), EntryPoll(options: ["Tea", "Coffee"], seconds: 0)),
    (form(["Tea | Coffee | 2h", ""]), EntryPoll(options: ["Tea", "Coffee"], seconds: 7200)),
    (form(["", "a | b"], "3h"), EntryPoll(options: ["a", "b"], seconds: 10800)),
    // Bars have a meaning only in a poll typed into one row.
    (form(["yes|no", "maybe"]), EntryPoll(options: ["yes|no", "maybe"], seconds: day)),
    (form(["", " "], "3d", several: true), nil),
    (
      form(["Tea", "Coffee"], several: true), EntryPoll(options: ["Tea", "Coffee"], seconds: day, allowsSeveral: true)
    ),
    (
      form(["1 day | 3 days | hidden", ""]),
      EntryPoll(options: ["1 day", "3 days"], seconds: day, hidesTotals: true)
    ),
  ]

  @Test(arguments: polls)
  func `a form is converted to a poll and restored exactly from a draft`(form: PollForm, poll: EntryPoll?) {
    #expect(form.poll == poll)
    #expect(PollForm(saved: form.saved, with: poll) == form)
    // The form belongs to its poll only.
    let other = EntryPoll(options: ["Milk", "Water"], seconds: Self.day)
    #expect(PollForm(saved: form.saved, with: other) == PollForm(other))
  }

  @Test func `a draft without a saved form shows its poll`() {
    let poll = EntryPoll(options: ["Tea", "a|b", "Milk"], seconds: 7200, allowsSeveral: true, hidesTotals: true)
    let form = Self.form(poll.options, "2 hours", several: true, hidden: true)
    for saved in ["", "{", "{}"] { #expect(PollForm(saved: saved, with: poll) == form) }
    #expect(form.saved == "" && form.poll == poll && PollForm(form.poll) == form)
    #expect(PollForm(saved: "", with: nil) == Self.form(["", ""]))
    #expect(Self.form(["", "", ""]).saved == "" && PollForm().isEmpty)
    #expect(form.summary == "Tea | a|b | Milk | 2 hours | several | hidden")
  }

  private static let problems: [(PollForm, PollProblem.Place, String)] = [
    (form(["Tea", ""]), PollProblem.Place.option(1), "A poll has 2 to 3 options, not 1."),
    (form(["a", "b", "c", "d"]), .option(3), "A poll has 2 to 3 options, not 4."),
    (form(["Tea", " ", "Milk"]), .option(1), "Option 2 of the poll is empty."),
    (form(["Tea", "Coffee!!"]), .option(1), "Option 2 of the poll is 1 character over the server's limit."),
    (form(["Tea", "Milk", "Tea "]), .option(2), "Option 3 of the poll is the same as option 1."),
    (form(["Tea", "Milk"], "soon"), .duration, "“soon” isn't a duration of a poll, such as 30m, 8h or 3 days."),
    (form(["Tea", "Milk"], "1m"), .duration, "On this server, a poll lasts 5 minutes to 7 days."),
  ]

  @Test(arguments: problems)
  func `a problem names its row`(form: PollForm, place: PollProblem.Place, sentence: String) {
    let limits = ServerInfo.PollLimits(options: 3, charactersPerOption: 7, seconds: 300...604_800)
    #expect(form.problem(limits: limits)?.place == place && form.problem(limits: limits)?.sentence == sentence)
  }

  /// A typed duration, and its seconds.
  @Test(arguments: [
    ("3d", 259_200), ("3 days", 259_200), ("1 Day", 86_400), ("2 h", 7200), ("30 min", 1800), ("5minutes", 300),
    ("3x", nil), ("d", nil), ("0d", nil), ("3", nil), ("999999999999d", nil), ("", nil),
  ])
  func `durations are parsed`(text: String, seconds: Int?) {
    #expect(EntryPoll.seconds(in: text) == seconds)
    if let seconds { #expect(EntryPoll.seconds(in: EntryPoll.words(seconds)) == seconds) }
  }

  @Test(arguments: [
    (["Tea", "", ""], 0, "Te", "a", ["x"], ["Texa", ""], 0),
    (["", ""], 0, "", "", ["a", "b", "c"], ["a", "b", "c"], 2),
    (["Tea", "Milk"], 0, "Te", "a", ["x", "y"], ["Tex", "ya", "Milk"], 1),
  ])
  func `pasted lines become options`(
    options: [String], index: Int, before: String, after: String, lines: [String], result: [String], last: Int
  ) {
    var form = Self.form(options)
    #expect(form.insert(lines, at: index, before: before, after: after) == last)
    #expect(form.options == result)
  }
}
