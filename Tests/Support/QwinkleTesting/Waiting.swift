/// Polls until `isSo`, or until the test is cancelled. For what no ledger knows of, such as what a server has heard.
@MainActor
public func wait(until isSo: () -> Bool) async {
  while !isSo(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
}
