import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle report USER`
struct ReportCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Report a user to the server's moderators.")

  @OptionGroup var subject: QwinkerArgument

  @Option(help: ArgumentHelp("One of their posts that you report; can be repeated.", valueName: "id"))
  var post: [String] = []

  /// The former name of `--post`.
  @Option(help: .hidden)
  var qwink: [String] = []

  @Option(help: ArgumentHelp("A description of the problem.", valueName: "text"))
  var comment = ""

  @Option(
    help: ArgumentHelp(
      "The reason: \(Report.Category.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "category"),
    completion: .list(Report.Category.allCases.map(\.rawValue)))
  var category: String?

  @Option(
    help: ArgumentHelp(
      "A server rule that they broke, by its number in qwinkle server; can be repeated.", valueName: "number"))
  var rule: [Int] = []

  @Flag(help: "Send the report to the user's own server, too.")
  var forward = false

  @OptionGroup var options: ServerOptions

  func validate() throws {
    if let category, Report.Category(rawValue: category) == nil {
      throw ValidationError("--category must be \(Report.Category.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    if !rule.isEmpty, let category, category != Report.Category.violation.rawValue {
      throw ValidationError("--rule goes with --category violation, not \(category).")
    }
  }

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Reporting") { server, _ in
      let rules = try await rules(of: server)
      let qwinker = try await subject.findOther(on: server)
      try await server.answer(
        to: .report(
          Report(
            qwinker: qwinker.id, qwinks: (post + qwink).map { Qwink.ID($0) }, comment: comment,
            category: category.flatMap(Report.Category.init) ?? (rules.isEmpty ? .other : .violation), rules: rules,
            isForwarded: forward)),
        needing: AbilityNeed(.reports, of: qwinker))
      StandardOutput.print("Reported: @\(qwinker.handle)")
    }
  }

  /// Returns the ids of the rules whose numbers are given with `--rule`.
  private func rules(of server: AccountConnection) async throws -> [ServerRule.ID] {
    guard !rule.isEmpty else { return [] }
    let rules = try await server.answer(to: .serverInfo).rules
    do throws(MissingRule) {
      return try rules.ids(numbered: rule)
    } catch {
      throw AppError.usage(error.sentence)
    }
  }
}
