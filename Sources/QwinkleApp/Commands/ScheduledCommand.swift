import ArgumentParser
import FoundationEssentials
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle scheduled [ID]`
struct ScheduledCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "scheduled", abstract: "Print your scheduled posts, or change one.",
    discussion: "qwinkle post --at TIME schedules a post.")

  @Argument(help: "The id of a scheduled post, at the start of its line.")
  var id: String?

  @Flag(help: "Cancel it.")
  var cancel = false

  @Option(help: ArgumentHelp("Publish it at another time: 2026-11-22T09:30, or 2h from now.", valueName: "time"))
  var at: String?

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func validate() throws {
    if let id { try QwinkArgument.check(id) }
    if id == nil, cancel || at != nil { throw ValidationError("--cancel and --at need the id of a post.") }
    if cancel, at != nil { throw ValidationError("Use --cancel or --at, not both.") }
    if let at { _ = try FutureTime.date(at, SystemClock()) }
  }

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Scheduling posts", isPaged: true) { server, clock in
      let style = PlainStyle(clock)
      if let id, cancel {
        try await server.answer(to: .unschedule(ScheduledPost.ID(id)))
        return StandardOutput.print("Cancelled: \(id)")
      }
      if let id, let at {
        let date = try FutureTime.date(at, clock)
        let request = Request<ScheduledPost>.reschedule(ScheduledPost.ID(id), to: date)
        let post = try await server.answer(to: request.sourced)
        if list.json { return StandardOutput.print(json: post.json) }
        return StandardOutput.print(PlainScheduled.text(post.answer, style))
      }
      let posts = PagedList<ScheduledPost>(
        first: { .scheduledPosts(limit: $0) }, page: { .scheduledPostsPage($0) }, id: { $0.id },
        isShown: { post in id.map { $0 == post.id.rawValue } ?? true })
      try await list.print(posts, from: server, none: "Nothing is scheduled.", json: WireEncoder.scheduledPosts) {
        PlainScheduled.text($0, style)
      }
    }
  }
}

/// Formats scheduled qwinks as plain text.
enum PlainScheduled {
  static func text(_ post: ScheduledPost, _ style: PlainStyle) -> String {
    let poll = post.poll.map { "  ○ " + $0.options.joined(separator: "  ○ ") }
    let files = post.attachments.isEmpty ? nil : "  " + Counted.words(post.attachments.count, "file")
    return ["\(post.id)  \(style.fullTime(post.publishAt))", post.text.indented(by: 2), poll, files]
      .compactMap(\.self).joined(separator: "\n") + "\n"
  }
}

/// Parsing of the times of `--at`.
enum FutureTime {
  /// Parses a future time: an ISO 8601 time, or a duration from now. A time without a time zone is in the clock's zone.
  static func date(_ text: String, _ clock: any ProgramClock) throws -> Date {
    if let seconds = try? AgeOption.seconds(text, of: "--at") { return clock.now.addingTimeInterval(Double(seconds)) }
    guard let date = TimeRange.time(text, at: clock.now, in: clock.timeZone) else {
      throw ValidationError("--at must be a time such as 2026-11-22T09:30, or 2h or 3d from now, not “\(text)”.")
    }
    guard date > clock.now else { throw ValidationError("--at must be in the future.") }
    return date
  }
}
