import TerminalTesting
import Testing

/// Each entry is on the server exactly once or has visibly failed, despite faults of the server, network and programs.
@MainActor
@Suite(.bounded) struct OutboxSoakTests {
  @Test func `a program that is killed and restarted posts each entry exactly once`() async {
    var count = 0
    for seed in Soak.seeds(10, times: 1000) {
      let run = OutboxRun(seed: seed, programs: 1)
      let problems = await run.play(steps: 40)
      #expect(problems == [], "seed \(seed): \(run.log)")
      if !problems.isEmpty { break }
      count += run.writtenCount
    }
    #expect(count > 0)
  }

  @Test func `two programs on the same files post each entry exactly once`() async {
    var count = 0
    for seed in Soak.seeds(5, times: 200) {
      let run = OutboxRun(seed: seed, programs: 2)
      let problems = await run.play(steps: 120)
      #expect(problems == [], "seed \(seed): \(run.log)")
      if !problems.isEmpty { break }
      count += run.writtenCount
    }
    #expect(count > 0)
  }
}
