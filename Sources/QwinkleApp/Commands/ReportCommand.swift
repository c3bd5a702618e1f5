import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// `qwinkle report USER`
struct ReportCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Report a user to the people who run the server.")

  @OptionGroup var subject: QwinkerArgument

  @Option(help: ArgumentHelp("A qwink of theirs that it is about; can be repeated.", valueName: "id"))
  var qwink: [String] = []

  @Option(help: ArgumentHelp("What is wrong.", valueName: "text"))
  var comment = ""

  @Option(
    help: ArgumentHelp(
      "Why: \(Report.Category.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "category"),
    completion: .list(Report.Category.allCases.map(\.rawValue)))
  var category = Report.Category.other.rawValue

  @Flag(help: "Tell the user's own server, too.")
  var forward = false

  @OptionGroup var options: ServerOptions

  func validate() throws {
    guard Report.Category(rawValue: category) == nil else { return }
    throw ValidationError("--category must be \(Report.Category.allCases.map(\.rawValue).joined(separator: ", ")).")
  }

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Reporting") { server, _ in
      let qwinker = try await subject.find(on: server)
      try await server.answer(
        to: .report(
          Report(
            qwinker: qwinker.id, qwinks: qwink.map { Qwink.ID($0) }, comment: comment,
            category: Report.Category(rawValue: category) ?? .other, isForwarded: forward)),
        needing: AbilityNeed(.reports, of: qwinker))
      StandardOutput.print("Reported: @\(qwinker.handle)")
    }
  }
}
