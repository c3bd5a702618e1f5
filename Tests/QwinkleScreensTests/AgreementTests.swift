import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleStore
import TerminalTesting
import Testing

@testable import QwinkleApp
@testable import QwinkleScreens

/// After any sequence of new posts, reading, resizing, changed keys and restarts, the screen matches a new screen on
/// the same stores.
@MainActor
@Suite(.bounded) struct AgreementTests {
  /// State shown by a screen.
  private struct Facts: Equatable {
    var unread: [Int]
    var titles: [String]
    var hints: String
    var window: String
  }

  /// A screen with its size and keymap, and the log of its events.
  private struct World {
    var screen: Screen
    var rows = 24
    var columns = 100
    var keymap: Keymap
    var log: [String] = []
  }

  private static let keymaps = [
    "", "global  refresh  ^Xr R\nqwink  open  ^Xo Enter", "global  compose  ^Xc\nglobal  help  F1\nqwink  reply  ^Xa",
  ]
  private static let sizes = [(24, 80), (24, 100), (40, 120), (30, 64), (12, 40), (45, 170)]

  private func use(_ keymap: Keymap, in screen: Screen) {
    screen.application.use(keymap)
    screen.main.use(keymap)
  }

  /// Refreshes, and waits until messages in the status line have expired.
  private func calm(_ screen: Screen) async {
    await screen.press("R")
    await screen.pass(.seconds(61))
  }

  private func facts(_ screen: Screen) -> Facts {
    let status = screen.status.replacing(#/[0-9]+\+? new above/#, with: "")
    return Facts(
      unread: Section.allCases.filter(\.countsUnread).map { screen.main.unread[$0].count },
      titles: screen.main.router.stack.panes.flatMap(\.titles),
      hints: status.split(separator: " ").joined(separator: " "), window: screen.main.shownTitle)
  }

  /// Returns a new screen on the same stores and server.
  private func restarted(
    _ world: World, _ server: ScriptedTimeline, in folder: TemporaryFolder
  ) async throws -> Screen {
    world.screen.account.readPositions.flush()
    world.screen.hangUp()
    await world.screen.settle()
    world.screen.account.outgoing?.close()
    let screen = try await Screen.settled(server, rows: world.rows, columns: world.columns, in: folder)
    use(world.keymap, in: screen)
    return screen
  }

  @Test(arguments: Soak.seeds(6, times: 20))
  func `counts, hints and titles match a newly opened screen`(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let folder = TemporaryFolder()
    let server = ScriptedTimeline(Array((101...140).reversed()), home: Array((1...40).reversed()))
    var world = World(
      screen: try await Screen.settled(server, columns: 100, in: folder), keymap: try Screen.keymap())
    // From here on, both timelines have a read position.
    await world.screen.press("j", "2", "j", "1")
    var next = 1000
    for _ in 0..<6 {
      // Both timelines load everything, so that no gap hides a count.
      await world.screen.press("2", "1")
      for _ in 0..<8 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
          let count = Int.random(in: 1...4, using: &random)
          let name = Bool.random(using: &random) ? "public" : "home"
          server.add(Array((next..<(next + count)).reversed()), to: name)
          next += count
          world.log.append("\(count) in \(name)")
        case 2:
          (world.rows, world.columns) = Self.sizes.randomElement(using: &random) ?? (24, 100)
          world.log.append("\(world.rows)x\(world.columns)")
          world.screen.resize(rows: world.rows, columns: world.columns)
        case 3:
          let text = Self.keymaps.randomElement(using: &random) ?? ""
          world.log.append("keys \(text)")
          world.keymap = try Screen.keymap().overlaid(by: text).keymap
          use(world.keymap, in: world.screen)
        default:
          let keys =
            [["j"], ["k"], ["g", "g"], ["PgDn"], ["PgUp"], ["R"], ["1"], ["2"], ["Tab"], ["^W", "m"]]
            .randomElement(using: &random) ?? ["j"]
          world.log += keys
          for key in keys { await world.screen.press(key) }
        }
        let isWide = SizeClass(columns: world.columns) == .extraWide
        #expect(!isWide || !world.screen.status.contains("The messages pane needs"), "\(world.log)")
      }
      await calm(world.screen)
      let before = facts(world.screen)
      world.screen = try await restarted(world, server, in: folder)
      await world.screen.pass(.seconds(61))
      #expect(facts(world.screen) == before, "\(world.log)")
      world.log.append("restart")
    }
  }
}
