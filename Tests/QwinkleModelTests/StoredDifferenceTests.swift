import FoundationEssentials
import QwinkleModel
import Testing

/// An entry compared with the qwink that the server stored.
@Suite struct StoredDifferenceTests {
  private static let date = Date(timeIntervalSince1970: 1_767_225_600)

  private static let entry: Entry = {
    var entry = Entry(
      text: "Tea at @bob's, see https://example.org/tea", visibility: .unlisted, language: "en-GB", inReplyTo: "3",
      attachmentIDs: ["7", "8"], isSensitive: true, idempotencyKey: "k")
    entry.poll = EntryPoll(options: ["Yes", "No"], seconds: 3600, allowsSeveral: true)
    return entry
  }()
  private static let altTexts = ["A cup", "A pot"]

  /// The qwink as stored by a server that ignores nothing.
  private static let whole: Qwink = {
    var qwink = Qwink(
      id: "9", author: Qwinker(id: "1", userName: "mara"), createdAt: date,
      text: RichText(plain: "Tea at @bob@example.org's, see example.org/tea"))
    qwink.visibility = .unlisted
    qwink.language = "en"
    qwink.inReplyTo = "3"
    qwink.isSensitive = true
    qwink.attachments = [
      QwinkleModel.Attachment(id: "7", kind: .image, altText: "A cup"),
      QwinkleModel.Attachment(id: "8", kind: .image, altText: "A pot"),
    ]
    qwink.poll = Poll(
      id: "5", options: [.init(title: "Yes"), .init(title: "No")], expiresAt: date.addingTimeInterval(3601),
      allowsSeveral: true)
    return qwink
  }()

  @Test func `a qwink stored as sent has no difference`() {
    #expect(Self.entry.differences(in: Self.whole, altTexts: Self.altTexts).isEmpty)
    #expect([StoredDifference]().sentence.isEmpty)
  }

  /// A change made by a server, and the expected difference.
  struct Habit: Sendable {
    let expected: StoredDifference
    let change: @Sendable (inout Qwink) -> Void

    init(
      _ part: StoredDifference.Part, _ kind: StoredDifference.Kind, value: String = "",
      _ change: @escaping @Sendable (inout Qwink) -> Void
    ) {
      expected = StoredDifference(part, kind, value: value)
      self.change = change
    }
  }

  @Test(arguments: [
    Habit(.text, .missing) { $0.text = RichText() },
    Habit(.text, .changed) { $0.text = RichText(plain: "Coffee") },
    Habit(.contentWarning, .changed, value: "food") { $0.contentWarning = "food" },
    Habit(.sensitivity, .missing) { $0.isSensitive = false },
    Habit(.visibility, .changed, value: "public") { $0.visibility = .public },
    Habit(.visibility, .changed, value: "for followers") { $0.visibility = .private },
    Habit(.language, .missing) { $0.language = nil },
    Habit(.language, .changed, value: "de") { $0.language = "de" },
    Habit(.poll, .missing) { $0.poll = nil },
    Habit(.pollOptions, .changed) { $0.poll?.options.removeLast() },
    Habit(.pollChoices, .changed) { $0.poll?.allowsSeveral = false },
    Habit(.pollEnd, .changed) { $0.poll?.expiresAt = StoredDifferenceTests.date.addingTimeInterval(86_400) },
    Habit(.pollEnd, .missing) { $0.poll?.expiresAt = nil },
    Habit(.files, .missing, value: "1 of 2") { $0.attachments.removeLast() },
    Habit(.altTexts, .missing) { $0.attachments[1].altText = nil },
    Habit(.altTexts, .changed) { $0.attachments[0].altText = "A mug" },
    Habit(.parent, .missing) { $0.inReplyTo = nil },
  ])
  func `a part that a server ignores or changes is the only difference`(habit: Habit) {
    var stored = Self.whole
    habit.change(&stored)
    let differences = Self.entry.differences(in: stored, altTexts: Self.altTexts)
    #expect(differences == [habit.expected])
    #expect(differences.sentence.contains(habit.expected.part.rawValue))
  }

  @Test func `a missing warning is reported without the sensitivity that it implies`() {
    let entry = Entry(text: "Tea", contentWarning: "food", idempotencyKey: "k")
    let stored = Qwink(
      id: "9", author: Qwinker(id: "1", userName: "mara"), createdAt: Self.date, text: RichText(plain: "Tea"))
    #expect(entry.differences(in: stored) == [StoredDifference(.contentWarning, .missing)])
  }

  @Test func `a direct qwink returned as private has no difference`() {
    let entry = Entry(text: "Tea", visibility: .direct, idempotencyKey: "k")
    var stored = Qwink(
      id: "9", author: Qwinker(id: "1", userName: "mara"), createdAt: Self.date, text: RichText(plain: "Tea"))
    stored.visibility = .private
    #expect(entry.differences(in: stored).isEmpty)
    stored.visibility = .public
    #expect(entry.differences(in: stored) == [StoredDifference(.visibility, .changed, value: "public")])
  }

  // MARK: Edits

  @Test(arguments: [
    Habit(.text, .unchanged) { $0.text = RichText(plain: "Old") },
    Habit(.contentWarning, .unchanged, value: "") { $0.contentWarning = "food" },
    Habit(.sensitivity, .unchanged) { $0.isSensitive = true },
    Habit(.files, .unchanged) {
      $0.attachments.append(QwinkleModel.Attachment(id: "8", kind: .image))
    },
    Habit(.parent, .missing) { $0.inReplyTo = nil },
    Habit(.quote, .missing) { $0.quote = nil },
  ])
  func `a part that an edit leaves unchanged is the only difference`(habit: Habit) {
    var before = Qwink(
      id: "9", author: Qwinker(id: "1", userName: "mara"), createdAt: Self.date, text: RichText(plain: "Old"),
      contentWarning: "food", isSensitive: true, inReplyTo: "3")
    before.quote = Qwink.Quote(id: "2")
    var stored = before
    stored.text = RichText(plain: "New")
    stored.contentWarning = ""
    stored.isSensitive = false
    habit.change(&stored)
    let entry = Entry(text: "New", idempotencyKey: "k")
    #expect(entry.differences(in: stored, insteadOf: before) == [habit.expected])
  }

  // MARK: Scheduling

  @Test func `the comparison of a scheduled qwink includes its time`() {
    var stored = ScheduledPost(
      id: "4", publishAt: Self.date, text: Self.entry.text, visibility: .unlisted, language: "en", inReplyTo: "3",
      poll: Self.entry.poll, attachments: Self.whole.attachments)
    #expect(Self.entry.differences(in: stored, at: Self.date, altTexts: Self.altTexts).isEmpty)
    stored.publishAt = Self.date.addingTimeInterval(3600)
    stored.poll = nil
    #expect(
      Self.entry.differences(in: stored, at: Self.date, altTexts: Self.altTexts) == [
        StoredDifference(.poll, .missing), StoredDifference(.time, .changed),
      ])
  }

  @Test func `the sentence groups parts by their kind of difference`() {
    let differences = [
      StoredDifference(.poll, .missing), StoredDifference(.visibility, .changed, value: "public"),
      StoredDifference(.language, .missing), StoredDifference(.files, .missing, value: "1 of 2"),
    ]
    #expect(
      differences.sentence
        == "The server did not store its poll, its language and its files (1 of 2). "
        + "The server changed its visibility (public).")
  }
}
