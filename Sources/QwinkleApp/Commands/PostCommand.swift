import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle post TEXT`: posts and ends.
struct PostCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Post a qwink.", discussion: WritingOptions.discussion)

  @OptionGroup var given: GivenText
  @OptionGroup var audience: AudienceOption
  @OptionGroup var warning: WarningOption
  @OptionGroup var extras: ExtrasOptions
  @OptionGroup var thread: ThreadOptions

  @Option(
    help: ArgumentHelp(
      "Have the server publish it later: 2026-11-22T09:30, or 2h from now. qwinkle scheduled lists them.",
      valueName: "time"))
  var at: String?

  @OptionGroup var writing: WritingOptions

  func validate() throws {
    try given.checkQuotes(after: "post", of: Self.self)
    guard let at else { return }
    _ = try FutureTime.date(at, of: "--at", SystemClock())
    if thread.thread { throw ValidationError("A thread is posted at once: leave out --at.") }
    if writing.queue { throw ValidationError("--at is for the server, --queue for this machine: use one of them.") }
  }

  @MainActor
  func start() throws {
    let text = try given.read(toBe: "posted")
    CommandRunner.runWriting(given.options.choice, needingAccountFor: "Posting") { writer in
      let account = audience.isChosen ? nil : try? await writer.connection.answer(to: .ownAccount)
      var entry = Entry(
        text: text, visibility: try audience.visibility(for: account), idempotencyKey: UUID().uuidString)
      try await extras.add(to: &entry, for: .new, with: writer)
      if let at {
        entry.contentWarning = warning.warning ?? ""
        let date = try FutureTime.date(at, of: "--at", writer.account.clock)
        let post = try await schedule(entry, at: date, with: writer)
        if writing.json { return StandardOutput.print(json: WireEncoder.scheduledPost(post)) }
        return StandardOutput.print("Scheduled: \(PlainScheduled.text(post, PlainStyle(writer.account.clock)))")
      }
      try await writing.post(entry, warning: warning.warning, by: EntryRules(.new, me: nil), as: thread, with: writer)
    }
  }

  @MainActor
  private func schedule(_ entry: Entry, at date: Date, with writer: Writer) async throws -> ScheduledPost {
    do throws(SchedulingError) {
      if case .scheduled(let post) = try await writer.account.schedule(entry, at: date) { return post }
    } catch {
      guard error.isDoubtful else { throw error.error }
      throw AppError.failed(error.sentence(listedBy: "qwinkle scheduled"))
    }
    throw AppError.failed("Published at once. \(writer.connection.refusal(of: .scheduledPosts) ?? "")")
  }
}
