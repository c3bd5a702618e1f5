import TerminalTesting
import Testing

/// Each entry is on the server exactly once, or has visibly failed, whatever server, network and programs do.
@MainActor
@Suite(.timeLimit(.minutes(240))) struct OutboxSoakTests {
  @Test func `one program, killed and started again, tells a fickle server everything exactly once`() async {
    for seed in 0..<UInt64(Soak.runs(40, times: 250)) {
      let run = OutboxRun(seed: seed, programs: 1)
      let problems = await run.play(steps: 40)
      #expect(problems == [], "seed \(seed): \(run.log)")
      if !problems.isEmpty { break }
    }
  }

  @Test func `two programs on the same files tell it exactly once`() async {
    for seed in 0..<UInt64(Soak.runs(20)) {
      let run = OutboxRun(seed: 1_000_000 + seed, programs: 2)
      // An hour.
      let problems = await run.play(steps: 120)
      #expect(problems == [], "seed \(seed): \(run.log)")
      if !problems.isEmpty { break }
    }
  }
}
