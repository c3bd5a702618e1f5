import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Timekeeping

/// Options for what goes with a new qwink's text.
struct ExtrasOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The language of the text, as a code: en, de, pt-BR.", valueName: "code"))
  var language: String?

  @Option(help: ArgumentHelp("Attach a file; can be repeated.", valueName: "file"), completion: .file())
  var attach: [String] = []

  @Option(help: ArgumentHelp("Describe the attached files, in their order; can be repeated.", valueName: "text"))
  var alt: [String] = []

  @Flag(help: "Cover the pictures until readers open them.")
  var sensitive = false

  @Option(help: ArgumentHelp("Add an option of a poll; repeat it for each.", valueName: "option"))
  var poll: [String] = []

  @Option(help: ArgumentHelp("How long the poll is open: 30m, 8h, 7d.", valueName: "time"))
  var pollFor = "1d"

  @Flag(help: "Let people choose several options of the poll.")
  var pollMultiple = false

  @Flag(help: "Hide the poll's results until it ends.")
  var pollHide = false

  func validate() throws {
    if let language, !LanguageCode.isCode(language) {
      throw ValidationError("--language must be a code such as en or pt-BR, not “\(language)”.")
    }
    if alt.count > attach.count { throw ValidationError("--alt describes a file: there are more than of --attach.") }
    if poll.isEmpty, pollMultiple || pollHide { throw ValidationError("A poll needs options: --poll TEXT for each.") }
    if !poll.isEmpty, !attach.isEmpty { throw ValidationError("A qwink has a poll or files, not both.") }
    _ = try AgeOption.seconds(pollFor, of: "--poll-for")
  }

  /// Adds them to `entry`, which is for `purpose`. Files are uploaded, after the server's limits were checked. If one
  /// can't be, the text becomes a draft.
  @MainActor
  func add(to entry: inout Entry, for purpose: EntryPurpose, with writer: Writer) async throws {
    let connection = writer.connection
    if let language { entry.language = language }
    if sensitive { entry.isSensitive = true }
    guard !poll.isEmpty || !attach.isEmpty else { return }
    let limits = (try? await connection.answer(to: .serverInfo).limits) ?? ServerInfo.Limits()
    if !poll.isEmpty {
      let poll = EntryPoll(
        options: poll, seconds: try AgeOption.seconds(pollFor, of: "--poll-for"), allowsSeveral: pollMultiple,
        hidesTotals: pollHide)
      if let refusal = limits.polls.refusal(of: poll) { throw AppError.usage("Not posted. \(refusal)") }
      entry.poll = poll
    }
    guard !attach.isEmpty else { return }
    guard attach.count <= limits.attachments else {
      throw AppError.usage("Not posted: the server takes \(limits.attachments) files, not \(attach.count).")
    }
    let text = entry
    do throws(AttachmentError) {
      var uploads: [Upload] = []
      for (index, path) in attach.enumerated() {
        uploads.append(
          try await AttachedFile.read(path, altText: index < alt.count ? alt[index] : "", limits: limits.uploads))
      }
      for upload in uploads {
        entry.attachmentIDs.append(try await AttachedFile.send(upload, by: connection).id.rawValue)
      }
    } catch {
      throw AppError.failed("Not posted: \(error.sentence) \(await writer.keepDraft(text, for: purpose))")
    }
    await writer.forgetDraft(text, for: purpose)
  }
}
