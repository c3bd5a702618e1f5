import ArgumentParser
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle post TEXT`: posts and exits.
struct PostCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "post", abstract: "Publish a post.", discussion: WritingOptions.discussion)

  @OptionGroup var given: GivenText
  @OptionGroup var audience: AudienceOption
  @OptionGroup var quotes: QuotePolicyOption
  @OptionGroup var warning: WarningOption
  @OptionGroup var extras: ExtrasOptions
  @OptionGroup var thread: ThreadOptions

  @Option(
    help: ArgumentHelp(
      "Schedule it on the server: 2026-11-22T09:30, or 2h from now. qwinkle scheduled lists your scheduled posts.",
      valueName: "time"))
  var at: String?

  @OptionGroup var writing: WritingOptions

  func validate() throws {
    try given.checkQuotes(after: "post", of: Self.self)
    if writing.retry != nil, thread.thread || at != nil {
      throw ValidationError("--retry sends one post at once: leave out --thread and --at.")
    }
    guard let at else { return }
    _ = try FutureTime.date(at, SystemClock())
    if thread.thread { throw ValidationError("A thread is posted at once: leave out --at.") }
    if writing.queue { throw ValidationError("--at is for the server, --queue for this machine: use one of them.") }
  }

  func start() throws {
    let text = try given.read(toBe: "posted")
    let entry = GivenEntry(
      target: .new, text: text, visibility: audience.chosen, warning: warning.line, language: extras.language,
      isSensitive: extras.sensitive, quotePolicy: quotes.chosen, poll: try extras.entryPoll(),
      options: extras.given + thread.given + (at.map { ["--at \($0)"] } ?? []))
    CommandRunner.runWriting(
      given.options.choice, needingAccountFor: "Posting", saving: entry, isQueued: writing.queue
    ) { writer, draft in
      guard let at else {
        return try await writing.write(draft, extras: extras, as: thread, with: writer)
      }
      let date: Date
      do {
        date = try FutureTime.date(at, writer.account.clock)
      } catch {
        // Requesting the token may have taken so long that the time has passed.
        throw draft.error("\(draft.notSent) \(AppError(error).sentence)", isUsage: true)
      }
      // In each of these cases the server has accepted the post. The command must not fail, because a script would run
      // it again and post twice.
      switch try await writer.schedule(draft, with: extras, at: date) {
      case .scheduled(let post):
        StandardOutput.target.note(done: "Scheduled")
        if writing.json {
          let entry = (item: post, source: writer.answers.source(of: post))
          return StandardOutput.print(json: SentJSON.object(entry, encoding: WireEncoder.scheduledPost))
        }
        StandardOutput.print("Scheduled: \(PlainScheduled.text(post, PlainStyle(writer.account.clock)))")
      case .unlisted(let qwink):
        StandardOutput.target.note(done: "Scheduled")
        if writing.json {
          let entry = (item: qwink, source: await writer.answers.source(of: qwink, from: writer.connection))
          return StandardOutput.print(json: SentJSON.object(entry, encoding: WireEncoder.qwink))
        }
        StandardOutput.print("Scheduled. The server does not list it, so it can't be changed or cancelled.")
      case .published:
        StandardOutput.complain("Posted, but at once. \(writer.connection.refusal(of: .scheduledPosts) ?? "")")
      case .unclear:
        StandardOutput.complain("Accepted, but the server did not confirm whether it is published now or later.")
      }
    }
  }
}
