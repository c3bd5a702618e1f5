import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Timekeeping

/// Options for what goes with a new qwink's text.
struct ExtrasOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The language of the text, as a code: en, de, pt-BR.", valueName: "code"))
  var language: String?

  @Option(help: ArgumentHelp("Attach a file; can be repeated.", valueName: "file"))
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

  /// Adds them to `entry`. Files are uploaded, after the server's limits were checked.
  @MainActor
  func add(to entry: inout Entry, by connection: AccountConnection) async throws {
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
    guard attach.count <= limits.attachments else {
      throw AppError.usage("Not posted: the server takes \(limits.attachments) files, not \(attach.count).")
    }
    let uploads = try attach.enumerated().map { index, path in
      try AttachedFile.upload(path, altText: index < alt.count ? alt[index] : "", limits: limits.uploads)
    }
    for upload in uploads {
      entry.attachmentIDs.append(try await AttachedFile.send(upload, by: connection).id.rawValue)
    }
  }
}

/// A file to attach to a qwink.
enum AttachedFile {
  /// No server takes more.
  private static let mostBytes = 512 << 20
  /// How often a server is asked whether it has processed a file, and the wait before each.
  private static let mostLooks = 90
  private static let wait = Duration.seconds(1)

  /// The file at `path`, after a look at what the server takes.
  static func upload(_ path: String, altText: String, limits: ServerInfo.Uploads?) throws(AppError) -> Upload {
    let url = URL(filePath: path)
    let name = url.lastPathComponent
    let count = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    guard count <= mostBytes else { throw .failed("Not posted: \(name) is larger than any server takes.") }
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw .failed("Not posted: cannot read \(name). \(error.localizedDescription)")
    }
    guard !data.isEmpty else { throw .failed("Not posted: \(name) is empty.") }
    let type = MediaType.ofFile(named: name, startingWith: data)
    if let refusal = limits?.refusal(ofType: type, bytes: data.count) {
      throw .failed("Not posted: \(name) can't be attached: \(refusal).")
    }
    if let most = limits?.altTextCharacters, most > 0, altText.count > most {
      throw .failed("Not posted: the description of \(name) has \(altText.count) characters; the limit is \(most).")
    }
    return Upload(name: name, type: type, bytes: Array(data), altText: altText)
  }

  /// Uploads a file and waits until the server has processed it.
  @MainActor
  static func send(_ upload: Upload, by connection: AccountConnection) async throws(AppError) -> Attachment {
    do {
      var state = try await connection.answer(to: .upload(upload, boundary: "qwinkle-\(UUID().uuidString)"))
      var looks = 0
      while !state.isReady, looks < mostLooks {
        _ = await ClockWait(on: connection.clock).wait(for: wait)
        state = try await connection.answer(to: .uploadState(state.attachment.id))
        looks += 1
      }
      guard state.isReady else {
        throw AppError.failed("Not posted: the server has not finished processing \(upload.name). Try again later.")
      }
      return state.attachment
    } catch let error as DownloadError {
      throw .failed("Not posted: \(upload.name) could not be uploaded. \(error.sentence)")
    } catch let error as AppError {
      throw error
    } catch {
      throw AppError(error)
    }
  }
}
