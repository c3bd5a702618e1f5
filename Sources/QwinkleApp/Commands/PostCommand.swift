import ArgumentParser
import Foundation
import QwinkleModel
import QwinkleService
import QwinkleWire
import SafeText
import Timekeeping

/// `qwinkle post TEXT`: posts and ends.
struct PostCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Post a qwink: TEXT, or standard input where it is - or left out.")

  /// Text longer than this is no qwink on any server.
  private static let mostBytes = 1 << 20

  @Argument(help: "What to say; - reads it from standard input.")
  var text: String?

  @Option(help: "Who may read it: public, unlisted, private (followers) or direct.")
  var visibility = "public"

  @Flag(help: "Print the qwink as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  func validate() throws {
    guard Visibility(rawValue: visibility) != nil else {
      throw ValidationError("--visibility must be public, unlisted, private or direct, not “\(visibility)”.")
    }
    if options.tokenStdin, text == nil || text == "-" {
      throw ValidationError("Standard input cannot bring both the token and the text: give the text as an argument.")
    }
  }

  @MainActor
  func start() throws {
    let entry = Entry(
      text: try textToPost(), visibility: Visibility(rawValue: visibility) ?? .public,
      idempotencyKey: UUID().uuidString)
    CommandRunner.run(options.choice) { session, _ in
      guard session.isSignedIn else { throw AppError.needsAccount("Posting") }
      let answer: Download
      do throws(DownloadError) {
        answer = try await OneShot.answer(to: .post(entry), from: session.downloads)
      } catch {
        throw AppError.failed(error.sentenceForPost)
      }
      guard case .qwink(let qwink) = answer else { return }
      if json {
        StandardOutput.print(json: WireEncoder.qwink(qwink))
      } else {
        StandardOutput.print("Posted: \(qwink.url ?? qwink.id.rawValue)")
      }
    }
  }

  private func textToPost() throws(AppError) -> String {
    if let text, text != "-" { return try nonEmpty(text) }
    let data = (try? FileHandle.standardInput.read(upToCount: Self.mostBytes)) ?? Data()
    return try nonEmpty(SafeText.repairing(data))
  }

  private func nonEmpty(_ text: String) throws(AppError) -> String {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty else { throw .usage("There is nothing to post: the text is empty.") }
    return trimmed
  }
}
