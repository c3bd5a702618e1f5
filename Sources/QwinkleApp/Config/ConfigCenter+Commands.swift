import QwinkleConfig
import QwinkleModel
import QwinkleScreens
import SafeText
import Timekeeping

/// Commands of the user's own, and hooks.
extension ConfigCenter {
  private static let mostBytes = 1 << 20
  /// More events at once are a flood.
  private static let mostHooks = 10

  var commands: [OwnCommand] { config.commands }
  var views: [OwnView] { config.views }

  func run(
    _ line: String, input: [UInt8], environment: [String: String],
    completion: @escaping @MainActor (Result<String, CommandFailure>) -> Void
  ) {
    let activity = ledger?.begin("running a command")
    Task { [weak self] in
      let result = await Self.result(of: line, input: input, environment: environment)
      if self != nil { completion(result) }
      activity?.end()
    }
  }

  private static func result(
    of line: String, input: [UInt8], environment: [String: String]
  ) async -> Result<String, CommandFailure> {
    do throws(AppError) {
      let outcome = try await HelperProgram.run(
        ["/bin/sh", "-c", line], in: .background(input: input, environment: environment), mostBytes: mostBytes)
      guard outcome.status == 0 || outcome.isTooLong else {
        return .failure(CommandFailure("The command ended with status \(outcome.status)."))
      }
      return .success(SafeText.repairing(outcome.output))
    } catch {
      return .failure(CommandFailure(error.sentence))
    }
  }

  /// Starts what the user has for messages and mentions.
  func runHooks(for news: [AccountNotification]) {
    guard !config.hooks.isEmpty else { return }
    for notification in news.filter({ $0.kind == .mention }).prefix(Self.mostHooks) {
      guard let qwink = notification.qwink,
        let line = config.hooks[qwink.visibility == .direct ? .message : .mention]
      else { continue }
      run(line, input: PipedQwink.input(.json, of: qwink), environment: PipedQwink.environment(of: qwink)) { _ in }
    }
  }
}
