import QwinkleConfig
import QwinkleModel
import QwinkleScreens
import SafeText
import Timekeeping

/// Runs the commands and hooks that the user has configured.
extension ConfigCenter {
  var commands: [OwnCommand] { config.commands }
  var views: [OwnView] { config.views }
  var layouts: [OwnLayout] { config.layouts }
  var layoutWidths: [LayoutWidth] { config.layoutWidths }

  func run(
    _ line: String, input: [UInt8], environment: [String: String],
    completion: @escaping @MainActor (Result<String, CommandFailure>) -> Void
  ) {
    let activity = ledger?.begin("running a command")
    let isAccepted = commandQueue.run(line, input: input, environment: environment) { [weak self] result in
      if let self { completion(output(of: result)) }
      activity?.end()
    }
    guard !isAccepted else { return }
    completion(.failure(CommandFailure("Too many commands are running. Try again when one has ended.")))
    activity?.end()
  }

  private func output(of result: Result<HelperProgram.Outcome, AppError>) -> Result<String, CommandFailure> {
    switch result {
    case .failure(let error): .failure(CommandFailure(error.sentence))
    case .success(let outcome) where outcome.isLate:
      .failure(CommandFailure("The command ran longer than \(commandQueue.limits.timeText) and was stopped."))
    case .success(let outcome) where outcome.status != 0 && !outcome.isTooLong:
      .failure(CommandFailure("The command ended with status \(outcome.status)."))
    case .success(let outcome): .success(SafeText.repairing(outcome.output))
    }
  }

  /// Runs the user's hooks for messages and mentions.
  func runHooks(for news: [AccountNotification]) {
    hooks.run(config.hooks, for: news, ledger: ledger)
  }

  /// Terminates running commands and hooks, and removes queued ones. Call before the process exits.
  func endPrograms() { HelperProgram.end(commandQueue.close() + hooks.close()) }
}
