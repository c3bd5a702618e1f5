import Foundation
import PaneKit
import TerminalTesting
import Testing
import Timekeeping

@testable import OnDemandResources
@testable import QwinkleApp
@testable import QwinkleScreens

/// The screen is notified if pictures can't be cached.
@MainActor
@Suite(.bounded) struct FullDiskTests {
  @Test func `the screen of an account reports that its pictures can't be saved`() async throws {
    let home = NSTemporaryDirectory() + "qw-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: home) }
    let (clock, ledger, paths) = (VirtualClock(), ActivityLedger(), Paths(environment: ["HOME": home]))
    let session = try AccountSession.open(
      SessionChoice(server: "http://127.0.0.1:9"), paths: paths, clock: clock, ledger: ledger)
    let driver = MemoryDriver(rows: 24, columns: 100)
    let graph = try ScreenGraph(
      session: session, driver: driver, clock: clock, ledger: ledger, paths: paths,
      log: FileLog.logger(directory: paths.state, clock: clock))
    try graph.application.launch()
    let resources = try #require(graph.main.factory.shelf?.resources)
    resources.tellLowDiskSpace()
    await ledger.settle()
    try await wait(for: "the message", showing: { driver.text }) { driver.text.contains(PictureWords.diskIsFull) }
    graph.close()
  }
}
