import Foundation
import PaneKit
import QwinkleModel
import QwinkleStore
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleApp
@testable import QwinkleScreens

/// Ownership: the app delegate handles the life cycle and nothing else.
@MainActor
@Suite(.bounded) struct AppDelegateTests {
  private func makeGraph(home: String) throws -> ScreenGraph {
    let clock = VirtualClock()
    let ledger = ActivityLedger()
    let paths = Paths(environment: ["HOME": home])
    let session = try AccountSession.open(
      SessionChoice(server: "http://127.0.0.1:9"), paths: paths, clock: clock, ledger: ledger)
    return try ScreenGraph(
      session: session, driver: MemoryDriver(rows: 24, columns: 80), clock: clock, ledger: ledger, paths: paths,
      log: FileLog.logger(directory: paths.state, clock: clock))
  }

  private func withHome(_ body: (String) throws -> Void) throws {
    let home = NSTemporaryDirectory() + "qw-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: home) }
    try body(home)
  }

  @Test(arguments: [false, true])
  func `a released graph is deallocated completely, even if the delegate is retained`(isRetained: Bool) throws {
    try withHome { home in
      weak var application: Application?
      weak var main: MainViewController?
      weak var account: Account?
      weak var accounts: ScreenAccounts?
      weak var delegate: AppDelegate?
      var retained: AppDelegate?
      do {
        let graph = try makeGraph(home: home)
        try graph.application.launch()
        (application, main, account) = (graph.application, graph.main, graph.account)
        (accounts, delegate) = (graph.accounts, graph.application.delegate as? AppDelegate)
        if isRetained { retained = delegate }
        #expect(application != nil && main != nil && account != nil && accounts != nil && delegate != nil)
      }
      #expect(application == nil)
      #expect(main == nil)
      #expect(account == nil)
      #expect(accounts == nil)
      #expect((delegate != nil) == isRetained)
      #expect((retained != nil) == isRetained)
    }
  }

  /// Returns the bytes of the account's drafts and outbox on disk.
  private func outgoingContent(below home: String) throws -> String {
    let files = try #require(FileManager.default.enumerator(atPath: home)).compactMap { $0 as? String }
    return try files.filter { $0.contains("outgoing.sqlite") }.map {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(home)/\($0)")), as: UTF8.self)
    }.joined()
  }

  /// Calls of the delegate and a result that each of them has on the graph.
  enum Call: CaseIterable {
    case willFinishLaunching, didEnterBackground, didReceiveMemoryWarning, shouldTerminate, willTerminate
  }

  @Test(arguments: Call.allCases) func `the delegate forwards a call`(call: Call) throws {
    try withHome { home in
      let graph = try makeGraph(home: home)
      let (application, main, pending) = (graph.application, graph.main, graph.account.pendingActions)
      let delegate = try #require(application.delegate)
      if call != .willFinishLaunching { try application.launch() }
      var performed = 0
      pending.seconds = 9
      pending.hold(.post(key: "1"), perform: { performed += 1 })
      main.header.isBusy = true
      switch call {
      case .willFinishLaunching:
        #expect(application.window.rootViewController == nil && application.restoration == nil)
        delegate.applicationWillFinishLaunching(application)
        #expect(application.window.rootViewController === main)
        #expect(application.restoration === graph.accounts.shown.savedScreen)
      case .didEnterBackground:
        delegate.applicationDidEnterBackground(application)
        #expect(!main.header.isBusy)
      case .didReceiveMemoryWarning:
        let entry = Entry(text: "Not lost", idempotencyKey: "key")
        graph.account.outgoing?.keep(OutgoingEntry(id: "1", purpose: EntryPurpose.new.key, entry: entry)) { _ in }
        delegate.applicationDidReceiveMemoryWarning(application)
        #expect(try outgoingContent(below: home).contains("Not lost"))
      case .shouldTerminate:
        #expect(delegate.applicationShouldTerminate(application))
        #expect(performed == 1)
      case .willTerminate:
        delegate.applicationWillTerminate(application)
        #expect(performed == 1)
      }
      application.abandon()
    }
  }
}
