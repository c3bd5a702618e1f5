import PaneKit
import Testing

@MainActor
@Suite struct TargetActionTests {
  private final class Target {}

  @Test func `adding a target removes deallocated targets`() {
    var actions = TargetActions()
    weak var kept: Target?
    do {
      let target = Target()
      // The action retains the captured object.
      let captured = Target()
      kept = captured
      actions.add(target) { _ in _ = captured }
      withExtendedLifetime(target) {}
    }
    #expect(actions.isEmpty)
    let other = Target()
    actions.add(other) { _ in }
    withExtendedLifetime(other) {
      #expect(kept == nil)
      #expect(!actions.isEmpty)
    }
  }
}
