import ArgumentParser
import Foundation
import QwinkleModel
import QwinkleServer
import QwinkleWire
import SafeText
import Timekeeping

/// `qwinkle serve reports`: lists, shows and resolves users' reports.
struct ServedReportsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reports", abstract: "List the users' reports, newest first.",
    subcommands: [List.self, Show.self, Resolve.self, Reopen.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List open reports: id, time, users, category, posts, rules, comment.")

    @Flag(help: "Include resolved reports.")
    var all = false

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.using { service in
        let reports = try service.reports(onlyOpen: !all)
        if json { return StandardOutput.print(json: PlainDraft.encoded(reports.map { ReportJSON($0) })) }
        for report in reports { StandardOutput.print(report.row, wraps: false) }
        if reports.isEmpty {
          StandardOutput.remark(onEmptyList: all ? "No reports." : "No open reports. --all lists resolved ones.")
        }
      }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show a report with the text of its posts.",
      discussion: "The posts may be private: the user who reported them chose to show them to you.")

    @Argument(help: "The report's id.")
    var id: String

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.using { service in
        let (report, posts) = try service.report(id)
        if json { return StandardOutput.print(json: PlainDraft.encoded(ReportJSON(report, posts))) }
        StandardOutput.print(Self.text(report, posts))
      }
    }

    private static func text(_ report: ServedReport, _ posts: [ServedPost]) -> String {
      var lines = ["Report \(report.id) · \(report.createdAt.formatted(.iso8601)) · \(report.state)"]
      lines.append("@\(report.reporter) reported @\(report.reported): \(report.category)")
      lines += report.rules.map { "Rule: \($0)" }
      if !report.comment.isEmpty { lines.append(report.comment.indented(by: 2)) }
      if !report.note.isEmpty { lines.append("Note: \(report.note)") }
      for id in report.posts {
        guard let post = posts.first(where: { $0.id == id }) else {
          lines.append("\nPost \(id) · deleted")
          continue
        }
        let pictures = post.pictures == 0 ? "" : " · \(Counted.words(post.pictures, "picture"))"
        lines.append("\nPost \(id) · \(post.visibility) · \(post.createdAt.formatted(.iso8601))\(pictures)")
        if !post.warning.isEmpty { lines.append("CW: \(post.warning)".indented(by: 2)) }
        lines.append(post.text.indented(by: 2))
      }
      return lines.joined(separator: "\n")
    }
  }

  struct Resolve: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "resolve", abstract: "Mark a report as resolved.")

    @Argument(help: "The report's id.")
    var id: String

    @Option(help: ArgumentHelp("A note about the decision, for operators.", valueName: "text"))
    var note = ""

    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.changing { try $0.resolveReport(id, note: note) }
      StandardOutput.print("Report \(id) is resolved. To undo: qwinkle serve reports reopen \(id)\(location.words)")
    }
  }

  struct Reopen: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "reopen", abstract: "Open a resolved report again.")

    @Argument(help: "The report's id.")
    var id: String

    @OptionGroup var location: ServiceLocation

    func run() throws {
      try location.changing { try $0.reopenReport(id) }
      StandardOutput.print("Report \(id) is open.")
    }
  }
}

extension ServedReport {
  fileprivate var state: String {
    resolvedAt.map { "resolved \($0.formatted(.iso8601)) by \(resolvedBy)" } ?? "open"
  }

  /// The report as one line.
  fileprivate var row: String {
    var facts = ["\(id) · \(createdAt.formatted(.iso8601)) · @\(reporter) reported @\(reported) · \(category)"]
    if !posts.isEmpty { facts.append("posts \(posts.joined(separator: " "))") }
    facts += rules.map { "rule: \($0)" }
    if !comment.isEmpty { facts.append(SafeText.line(comment)) }
    if resolvedAt != nil { facts.append(state) }
    return facts.joined(separator: " · ")
  }
}

/// A report as JSON, with its posts in the output of `show`.
private struct ReportJSON: Encodable {
  struct Post: Encodable {
    var id: String
    var visibility: String
    var spoiler_text: String
    var text: String
    var created_at: String
    var picture_count: Int

    init(_ post: ServedPost) {
      (id, visibility, spoiler_text, text) = (post.id, post.visibility, post.warning, post.text)
      created_at = WireDate.text(post.createdAt, in: .gmt)
      picture_count = post.pictures
    }
  }

  var id: String
  var created_at: String
  var reporter: String
  var reported: String
  var category: String
  var comment: String
  var rules: [String]
  var status_ids: [String]
  var resolved_at: String?
  var resolved_by: String?
  var note: String
  /// The posts that still exist. Nil in lists.
  var posts: [Post]?

  init(_ report: ServedReport, _ posts: [ServedPost]? = nil) {
    (id, reporter, reported, category) = (report.id, report.reporter, report.reported, report.category)
    (comment, rules, status_ids, note) = (report.comment, report.rules, report.posts, report.note)
    created_at = WireDate.text(report.createdAt, in: .gmt)
    resolved_at = report.resolvedAt.map { WireDate.text($0, in: .gmt) }
    resolved_by = report.resolvedAt == nil ? nil : report.resolvedBy
    self.posts = posts?.map(Post.init)
  }
}
