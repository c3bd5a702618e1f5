import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import Testing

/// Whole screens, compared with files in the folder Golden. `QWINKLE_RECORD=1 swift test --filter GoldenScreenTests` writes
/// them anew.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct GoldenScreenTests {
  /// What a screen shows.
  enum Scene: String, CaseIterable, Sendable {
    case timeline, revealed, scrolled, entry, entryFailed, help, detail, empty, emptyHome, failed, failedEmpty, loading
    case signedOut, confirm, gap
  }

  nonisolated static let sizes = [
    Size(rows: 12, columns: 40), Size(rows: 24, columns: 80), Size(rows: 40, columns: 120),
    Size(rows: 50, columns: 200),
  ]

  @Test(arguments: Scene.allCases, sizes)
  func `screens look as they did`(scene: Scene, size: Size) async throws {
    let text = try await show(scene, size)
    try GoldenFile.expect(text, is: "\(scene.rawValue)-\(size.columns)x\(size.rows)")
  }

  private func show(_ scene: Scene, _ size: Size) async throws -> String {
    let server = ScriptedTimeline()
    let folder = TemporaryFolder()
    let gate = Gate()
    if ![.empty, .emptyHome, .failedEmpty, .loading].contains(scene) { server.add(Samples.all) }
    if scene == .failedEmpty { server.failTimelines(with: .refused(host: ScriptedTimeline.host)) }
    if scene == .loading { server.holdTimelines(by: gate) }
    if scene == .gap {
      try Screen.keep([9, 8, 7], in: folder)
      server.add(Array((100...150).reversed()))
    }
    let screen = try Screen(server, rows: size.rows, columns: size.columns, in: folder, isSignedIn: scene != .signedOut)
    if scene == .loading {
      screen.advance(by: .milliseconds(260))
      await screen.turn()
    } else {
      await screen.settle()
    }
    switch scene {
    case .timeline, .empty, .failedEmpty, .loading: break
    case .revealed: await screen.press("j", "j", "z")
    case .scrolled: await screen.press("G")
    case .entry:
      screen.strike("c")
      screen.type("Three out of three? Name the line, I want to move there. 日本語も、👩‍👩‍👧 too.")
    case .entryFailed:
      server.failPosts(with: .interrupted(host: ScriptedTimeline.host))
      screen.strike("c")
      screen.type("Three out of three?")
      await screen.press("^D")
    case .help: screen.strike("?")
    case .detail: await screen.press("j", "Enter")
    case .emptyHome: await screen.press("2")
    case .failed:
      server.failTimelines(with: .timedOut(host: ScriptedTimeline.host))
      await screen.press("R")
    case .signedOut: await screen.press("c")
    case .confirm: screen.strike("q")
    case .gap: await screen.press("k")
    }
    let text = screen.picture
    gate.open()
    await screen.settle()
    return text
  }
}

/// Qwinks with everything that they can have.
enum Samples {
  static var all: [Qwink] {
    [
      frost, kiosk, spoilers, trains, poem, question, followersOnly, far, plain(8), plain(7), plain(6), plain(5),
      plain(4),
    ]
  }

  private static func qwink(_ number: Int, _ author: Qwinker, minutes: Double, _ spans: [RichText.Span]) -> Qwink {
    Qwink(
      id: Qwink.ID("\(900 + number)"), author: author,
      createdAt: ScriptedTimeline.start.addingTimeInterval(-60 * minutes),
      text: RichText([RichText.Paragraph(spans)]))
  }

  private static func plain(_ number: Int) -> Qwink {
    qwink(
      number, .sample("gil"), minutes: 60 * 24 * 20 * Double(10 - number), [.init("An older one, number \(number).")])
  }

  static let bob = Qwinker(id: "bob", userName: "bob", handle: "bob@example.org", displayName: "Bob")

  private static var frost: Qwink {
    var frost = qwink(
      20, .sample("alice", displayName: "Alice Liddell"), minutes: 2,
      [
        .init("First frost on the allotment this morning. The chard survives, the basil does not. "),
        .init("#garden", kind: .tag(name: "garden")),
      ])
    frost.tags = ["garden"]
    frost.boostsCount = 3
    frost.favouritesCount = 12
    return frost
  }

  static var kiosk: Qwink {
    let url = "https://example.org/kiosk"
    var kiosk = qwink(
      19, bob, minutes: 14,
      [
        .init("Rebuilt the kiosk. It starts in 40 ms instead of 3 s, and "), .init("nobody", emphasis: .emphasized),
        .init(" noticed but me: "), .init(url, kind: .link(url: url)),
      ])
    kiosk.favouritesCount = 2
    kiosk.isFavourite = true
    kiosk.card = Qwink.Card(url: url, title: "The kiosk at the corner", summary: "Open day and night.")
    kiosk.attachments = [
      Attachment(id: "1", kind: .image, url: "https://example.org/1.png", altText: "a kiosk at night"),
      Attachment(id: "2", kind: .image, url: "https://example.org/2.png", altText: "its new board"),
    ]
    return kiosk
  }

  static var spoilers: Qwink {
    var spoilers = qwink(18, .sample("dana"), minutes: 50, [.init("It was the butler, with the chandelier.")])
    spoilers.id = "950"
    spoilers.originalID = "918"
    spoilers.booster = .sample("carol", displayName: "Carol 🌻")
    spoilers.boostedAt = ScriptedTimeline.start.addingTimeInterval(-60 * 31)
    spoilers.contentWarning = "Film spoilers"
    spoilers.isSensitive = true
    spoilers.boostsCount = 8
    spoilers.favouritesCount = 40
    return spoilers
  }

  static var trains: Qwink {
    var trains = qwink(
      17, .sample("erin", displayName: "Erin"), minutes: 66,
      [
        .init("@frank", kind: .mention(url: "https://tilde.example/@frank")),
        .init(" The trains were on time, all three of them. I have pictures to prove it."),
      ])
    trains.repliesCount = 2
    trains.editedAt = trains.createdAt.addingTimeInterval(300)
    return trains
  }

  private static var poem: Qwink {
    qwink(
      16, Qwinker(id: "k", userName: "kaito", handle: "kaito@例え.example", displayName: "海斗 🌊"), minutes: 60 * 5,
      [.init("古池や\n蛙飛びこむ\n水の音 — ひらがなも漢字も、きちんと並ぶはずです。👩‍👩‍👧‍👦🇩🇪❤️")])
  }

  private static var question: Qwink {
    var question = qwink(15, .sample("frank"), minutes: 60 * 20, [.init("Tea or coffee?")])
    question.poll = Poll(
      id: "1", options: [.init(title: "Tea", votesCount: 7), .init(title: "Coffee", votesCount: 5)], votesCount: 12,
      hasVoted: true, ownVotes: [0])
    return question
  }

  private static var followersOnly: Qwink {
    var qwink = qwink(14, bob, minutes: 60 * 30, [.init("Only for those who follow me: the kiosk is for sale.")])
    qwink.visibility = .private
    return qwink
  }

  private static var far: Qwink {
    qwink(
      13, Qwinker(id: "m", userName: "mona", displayName: "منى"), minutes: 60 * 24 * 6,
      [.init("مرحبا بكم في الحديقة، الطقس جميل اليوم")])
  }
}
