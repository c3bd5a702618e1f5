import Logging
import QwinkleConfig
import QwinkleModel
import QwinkleScreens
import Timekeeping

/// Starts the user's hooks and logs their failures. Shows the first failure of each kind on the screen, too, separately
/// for message and mention hooks.
@MainActor
final class HookRunner {
  private enum Problem: Hashable {
    case late, failed, skipped
  }

  private struct Report: Hashable {
    let event: HookEvent
    let problem: Problem
  }

  /// The log for failures. Set by the screen, after the configuration has been loaded.
  var log: Logger?
  /// Shows a sentence on the screen.
  var didFail: (@MainActor (String) -> Void)?
  private let queue: HelperQueue
  private var shown: Set<Report> = []

  init(queue: HelperQueue = HookRunner.standardQueue()) {
    self.queue = queue
  }

  /// Creates a queue with the standard limits. It discards the output of hooks, so that they never block on output.
  static func standardQueue() -> HelperQueue {
    HelperQueue(
      mostRunning: 4, mostWaiting: 16, mostBytes: 0,
      limits: HelperProgram.Limits(time: .seconds(30), discardsRest: true))
  }

  /// Runs the shell command in `hooks` for each direct message and each mention in `news`.
  func run(_ hooks: [HookEvent: String], for news: [AccountNotification], ledger: ActivityLedger?) {
    var skippedCounts: [HookEvent: Int] = [:]
    for notification in news where notification.kind == .mention {
      guard let qwink = notification.qwink else { continue }
      let event: HookEvent = qwink.visibility == .direct ? .message : .mention
      guard let line = hooks[event] else { continue }
      let activity = ledger?.begin("running a hook")
      let isAccepted = queue.run(
        line, input: PipedQwink.input(.json, of: qwink), environment: PipedQwink.environment(of: qwink)
      ) { [weak self] result in
        self?.note(result, of: event)
        activity?.end()
      }
      guard !isAccepted else { continue }
      activity?.end()
      skippedCounts[event, default: 0] += 1
    }
    for event in HookEvent.allCases {
      guard let count = skippedCounts[event] else { continue }
      report(.skipped, of: event, "Too many \(event.rawValue)s at once: the hook did not run for \(count).")
    }
  }

  /// Removes queued hooks and stops reporting. Returns the running hooks.
  func close() -> [HelperProgram] { queue.close() }

  private func note(_ result: Result<HelperProgram.Outcome, AppError>, of event: HookEvent) {
    switch result {
    case .failure(let error): report(.failed, of: event, "The \(event.rawValue) hook failed: \(error.sentence)")
    case .success(let outcome) where outcome.isLate:
      let sentence = "The \(event.rawValue) hook ran longer than \(queue.limits.timeText) and was stopped."
      report(.late, of: event, sentence)
    // Only log this, without a message on the screen: many commands exit with such a status if they have nothing to do.
    case .success(let outcome) where outcome.status != 0:
      log?.info("the \(event.rawValue) hook ended with status \(outcome.status)")
    case .success: break
    }
  }

  private func report(_ problem: Problem, of event: HookEvent, _ sentence: String) {
    log?.warning("\(sentence)")
    guard shown.insert(Report(event: event, problem: problem)).inserted else { return }
    didFail?(sentence)
  }
}
