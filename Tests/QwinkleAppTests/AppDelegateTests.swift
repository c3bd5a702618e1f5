import Foundation
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleStore
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp

/// Ownership: the app delegate handles the life cycle and nothing else.
@MainActor
@Suite(.bounded) struct AppDelegateTests {
  /// Modules that the app delegate must not use.
  private static let belowIt = ["QwinkleService", "QwinkleStore", "QwinkleModel", "QwinkleServer", "QwinkleScreens"]

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

  @Test func `the app delegate retains no service, store, model or screen`() throws {
    try withHome { home in
      let graph = try makeGraph(home: home)
      let delegate = try #require(graph.application.delegate as? AppDelegate)
      let held = HeldTypes(of: delegate)
      #expect(held.names(from: Self.belowIt) == [])
    }
  }

  /// A positive control: the check can fail.
  @Test func `the graph retains services, stores and screens`() throws {
    try withHome { home in
      let held = HeldTypes(of: try makeGraph(home: home))
      for module in ["QwinkleService", "QwinkleStore", "QwinkleScreens"] {
        #expect(!held.names(from: [module]).isEmpty, "\(module)")
      }
    }
  }

  @Test func `a released graph is deallocated completely`() throws {
    try withHome { home in
      weak var application: Application?
      weak var main: MainViewController?
      weak var account: Account?
      weak var delegate: AppDelegate?
      do {
        let graph = try makeGraph(home: home)
        (application, main, account) = (graph.application, graph.main, graph.account)
        delegate = graph.application.delegate as? AppDelegate
        #expect(application != nil && main != nil && account != nil && delegate != nil)
      }
      #expect(application == nil)
      #expect(main == nil)
      #expect(account == nil)
      #expect(delegate == nil)
    }
  }
}

/// Types of all values that an object retains, directly or indirectly.
private struct HeldTypes {
  private(set) var names: Set<String> = []
  private var seen: Set<ObjectIdentifier> = []

  init(of object: AnyObject) {
    visitStoredProperties(of: object)
  }

  /// Returns the type names from these modules, including arguments of generic types such as an empty optional.
  func names(from modules: [String]) -> [String] {
    names.filter { name in
      modules.contains { module in
        name.hasPrefix("\(module).") || name.contains("<\(module).") || name.contains(" \(module).")
      }
    }.sorted()
  }

  private mutating func visit(_ value: Any) {
    names.insert(String(reflecting: type(of: value)))
    visitStoredProperties(of: value)
  }

  private mutating func visitStoredProperties(of value: Any) {
    if type(of: value) is AnyClass, !seen.insert(ObjectIdentifier(value as AnyObject)).inserted { return }
    var mirror: Mirror? = Mirror(reflecting: value)
    while let current = mirror {
      for child in current.children { visit(child.value) }
      mirror = current.superclassMirror
    }
  }
}
