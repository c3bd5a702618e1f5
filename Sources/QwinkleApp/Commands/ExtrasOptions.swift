import ArgumentParser
import LibC
import QwinkleConfig
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Timekeeping

/// Options for a new qwink's language, attachments and poll.
struct ExtrasOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The language of the text, as a code: en, de, pt-BR.", valueName: "code"))
  var language: String?

  @Option(help: ArgumentHelp("Attach a file; can be repeated.", valueName: "file"), completion: .file())
  var attach: [String] = []

  @Option(help: ArgumentHelp("Describe an attached file; repeat in the order of the files.", valueName: "text"))
  var alt: [String] = []

  @Option(
    help: ArgumentHelp(
      "Focal point of an attached picture, from -1,-1 to 1,1 (top right); repeat in the order of the files.",
      valueName: "x,y"))
  var focus: [String] = []

  @Flag(help: "Hide the pictures until readers open them.")
  var sensitive = false

  @Option(
    help: ArgumentHelp(
      "Add a poll option; can be repeated. Or pass a whole poll, as on the screen: \"Tea | Coffee | 3d\".",
      valueName: "option"))
  var poll: [String] = []

  @Option(help: ArgumentHelp("Duration of the poll: 30m, 8h, 7d.", valueName: "time"))
  var pollFor: String = Self.usualPollTime

  private static let usualPollTime = "1d"

  @Flag(help: "Allow several choices in the poll.")
  var pollMultiple = false

  @Flag(help: "Hide the poll's results until it ends.")
  var pollHide = false

  func validate() throws {
    if let language, !LanguageCode.isCode(language) {
      throw ValidationError("--language must be a code such as en or pt-BR, not “\(language)”.")
    }
    if alt.count > attach.count { throw ValidationError("--alt describes a file: there are more --alt than --attach.") }
    if focus.count > attach.count {
      throw ValidationError("--focus is about a file: there are more --focus than --attach.")
    }
    for text in focus where FocalPoint(typed: text) == nil {
      throw ValidationError("--focus must be two numbers between -1 and 1, such as 0.5,-0.25, not “\(text)”.")
    }
    if poll.isEmpty, pollMultiple || pollHide { throw ValidationError("A poll needs options: --poll TEXT for each.") }
    if !poll.isEmpty, !attach.isEmpty { throw ValidationError("A post has a poll or files, not both.") }
    _ = try AgeOption.seconds(pollFor, of: "--poll-for")
  }

  /// Whether the command must ask the server for its limits: on polls, or on uploads.
  var needServer: Bool { !poll.isEmpty || !attach.isEmpty }

  /// The `--attach`, `--alt` and `--focus` options, as text. They are saved with the draft, so that an identical
  /// command can be recognized later.
  var given: [String] {
    attach.map { "--attach \(AttachedFile.absolute($0))" } + alt.map { "--alt \($0)" }
      + focus.map { "--focus \($0)" }
  }

  /// The poll to post, if any.
  func entryPoll() throws -> EntryPoll? {
    guard !poll.isEmpty else { return nil }
    var given = EntryPoll(
      options: poll, seconds: try AgeOption.seconds(pollFor, of: "--poll-for"), allowsSeveral: pollMultiple,
      hidesTotals: pollHide)
    // A poll needs several options, so a single `--poll` can contain a whole poll: `Tea | Coffee | 3d`.
    guard poll.count == 1, poll[0].contains("|"), let typed = EntryPoll(typed: poll[0]) else { return given }
    given.options = typed.options
    if pollFor == Self.usualPollTime { given.seconds = typed.seconds }
    given.allowsSeveral = given.allowsSeveral || typed.allowsSeveral
    given.hidesTotals = given.hidesTotals || typed.hidesTotals
    return given
  }

  /// Number of files without a description.
  var undescribedCount: Int {
    attach.indices.count { index in index >= alt.count || alt[index].allSatisfy(\.isWhitespace) }
  }

  /// Prints a note about files without a description, if the user sees it and wants to be reminded.
  func remindOfDescriptions() {
    guard undescribedCount > 0, isatty(STDERR_FILENO) == 1, UserConfig.value(of: .altReminder).flag else { return }
    StandardOutput.remark("\(Counted.words(undescribedCount, "file")) without a description: --alt TEXT adds one.")
  }

  /// Checks all files against `limits` before uploading the first one. Returns the ids of the uploaded files.
  @MainActor
  func upload(
    by connection: AccountConnection, limits: ServerInfo.Uploads?
  ) async throws(AttachmentError) -> [String] {
    var uploads: [Upload] = []
    for (index, path) in attach.enumerated() {
      uploads.append(
        try await AttachedFile.read(
          path, altText: index < alt.count ? alt[index] : "",
          focus: index < focus.count ? FocalPoint(typed: focus[index]) : nil, limits: limits))
    }
    var ids: [String] = []
    for upload in uploads { ids.append(try await AttachedFile.send(upload, by: connection).id.rawValue) }
    return ids
  }
}
