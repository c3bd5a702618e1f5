/// Runs programs in the background: a few at a time, in order, and within limits.
@MainActor
final class HelperQueue {
  typealias Completion = @MainActor (Result<HelperProgram.Outcome, AppError>) -> Void

  private struct Job {
    let words: [String]
    let place: HelperProgram.Place
    let completion: Completion
  }

  /// Limits of each program.
  let limits: HelperProgram.Limits
  private let mostRunning: Int
  private let mostWaiting: Int
  private let mostBytes: Int
  private var runningCount = 0
  private var waiting: [Job] = []

  /// Creates a queue that runs up to `mostRunning` programs at once and refuses those after `mostWaiting` more. An
  /// outcome has `mostBytes` of output at most.
  init(mostRunning: Int, mostWaiting: Int, mostBytes: Int, limits: HelperProgram.Limits) {
    self.mostRunning = mostRunning
    self.mostWaiting = mostWaiting
    self.mostBytes = mostBytes
    self.limits = limits
  }

  /// Runs the shell command `line`, now or after others. Returns false if too many wait; `completion` isn't called
  /// then.
  func run(
    _ line: String, input: [UInt8], environment: [String: String], completion: @escaping Completion
  ) -> Bool {
    guard runningCount < mostRunning || waiting.count < mostWaiting else { return false }
    waiting.append(
      Job(
        words: ["/bin/sh", "-c", line], place: .background(input: input, environment: environment),
        completion: completion))
    startWaiting()
    return true
  }

  private func startWaiting() {
    while runningCount < mostRunning, !waiting.isEmpty {
      let job = waiting.removeFirst()
      runningCount += 1
      Task {
        let result = await outcome(of: job)
        runningCount -= 1
        startWaiting()
        job.completion(result)
      }
    }
  }

  private func outcome(of job: Job) async -> Result<HelperProgram.Outcome, AppError> {
    do throws(AppError) {
      return .success(try await HelperProgram.run(job.words, in: job.place, mostBytes: mostBytes, limits: limits))
    } catch {
      return .failure(error)
    }
  }
}
