import TerminalTesting
import Testing

/// Random user actions with random network and file failures: a post has everything that its entry showed, and no typed
/// text is lost.
@MainActor
@Suite(.bounded) struct EntryRunTests {
  @Test func `a post has everything that its entry showed or nothing is posted`() async throws {
    var postCount = 0
    for seed in Soak.seeds(30, times: 334) {
      let run = try await EntryRun(seed: seed)
      try await run.play(steps: 60)
      #expect(run.problems == [], "seed \(seed): \(run.log)")
      if !run.problems.isEmpty { break }
      postCount += run.postCount
    }
    #expect(postCount > 0)
  }
}
