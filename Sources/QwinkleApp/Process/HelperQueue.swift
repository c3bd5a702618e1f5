/// Runs background programs in order, a few at a time, with limits.
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
  let mostRunning: Int
  let mostWaiting: Int
  let mostBytes: Int
  private var running: [HelperProgram] = []
  private var waiting: [Job] = []
  private var isClosed = false

  /// Creates a queue that runs up to `mostRunning` programs at once, queues up to `mostWaiting` more and rejects the
  /// rest. An outcome has at most `mostBytes` of output.
  init(mostRunning: Int, mostWaiting: Int, mostBytes: Int, limits: HelperProgram.Limits) {
    self.mostRunning = mostRunning
    self.mostWaiting = mostWaiting
    self.mostBytes = mostBytes
    self.limits = limits
  }

  /// Runs the shell command `line` as soon as possible. If the queue is full, returns false and doesn't call
  /// `completion`. After ``close()``, drops the command: returns true, but doesn't call `completion`.
  func run(
    _ line: String, input: [UInt8], environment: [String: String], completion: @escaping Completion
  ) -> Bool {
    guard !isClosed else { return true }
    guard running.count < mostRunning || waiting.count < mostWaiting else { return false }
    waiting.append(
      Job(
        words: ["/bin/sh", "-c", line], place: .background(input: input, environment: environment),
        completion: completion))
    startWaiting()
    return true
  }

  /// Drops queued programs and stops calling completions. Returns the running programs.
  func close() -> [HelperProgram] {
    isClosed = true
    waiting = []
    return running
  }

  private func startWaiting() {
    while running.count < mostRunning, !waiting.isEmpty {
      let job = waiting.removeFirst()
      let program = HelperProgram()
      running.append(program)
      Task {
        let result = await outcome(of: job, as: program)
        running.removeAll { $0 === program }
        guard !isClosed else { return }
        startWaiting()
        job.completion(result)
      }
    }
  }

  private func outcome(of job: Job, as program: HelperProgram) async -> Result<HelperProgram.Outcome, AppError> {
    do throws(AppError) {
      return .success(
        try await HelperProgram.run(job.words, in: job.place, mostBytes: mostBytes, limits: limits, as: program))
    } catch {
      return .failure(error)
    }
  }
}
