import OnDemandResources
import PaneKit
import QwinkleStore
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleModel
@testable import QwinkleScreens

/// Videos, sounds and pictures of link previews, in lists and threads.
@MainActor
@Suite(.bounded) struct MediaTests {
  private static let video = QwinkleModel.Attachment(
    id: "v", kind: .video, url: "https://tilde.example/media/v.mp4", previewURL: "https://tilde.example/media/v.png",
    altText: "Waves", width: 640, height: 480, duration: .seconds(84))

  private static func sound(_ duration: Duration?) -> QwinkleModel.Attachment {
    QwinkleModel.Attachment(
      id: "s", kind: .audio, url: "https://tilde.example/media/s.mp3", altText: "A wren", duration: duration)
  }

  private func qwink(_ attachments: [QwinkleModel.Attachment], isSensitive: Bool = false) -> Qwink {
    var qwink = ScriptedTimeline.qwink(7)
    qwink.attachments = attachments
    qwink.isSensitive = isSensitive
    return qwink
  }

  private func linking(isSensitive: Bool = false) -> Qwink {
    var qwink = qwink([], isSensitive: isSensitive)
    qwink.card = Qwink.Card(
      url: "https://news.example/heron", title: "The heron is back", summary: "At the pond",
      picture: Qwink.Card.Picture(
        url: "https://tilde.example/cards/heron.png", width: 96, height: 64,
        blurhash: "UPN1Ddxup{IT9an~.8RjK-oy%gkE%#W?i^t6"))
    return qwink
  }

  // MARK: Words

  @Test(
    arguments: [
      (0.2, "0:01"), (1, "0:01"), (59.6, "1:00"), (84, "1:24"), (185, "3:05"), (3600, "1:00:00"), (3723, "1:02:03"),
    ] as [(Double, String)])
  func `a playing time is shown in minutes and seconds`(seconds: Double, words: String) {
    #expect(AttachmentWords.time(.seconds(seconds)) == words)
  }

  @Test func `a summary has the playing time of a single video or sound`() {
    func summary(_ attachments: QwinkleModel.Attachment...) -> String { AttachmentWords.summary(of: attachments) }
    #expect(summary(Self.video) == "video 1:24: Waves")
    #expect(summary(Self.sound(.seconds(185))) == "audio 3:05: A wren")
    #expect(summary(Self.sound(nil)) == "1 audio file: A wren")
    #expect(summary(Self.video, Self.sound(.seconds(185))) == "video 1:24, audio 3:05: Waves / A wren")
    #expect(summary(Self.video, Self.video) == "2 videos: Waves / Waves")
  }

  @Test func `an opened post shows the playing time and the size of a video`() {
    #expect(QwinkWords.name(of: Self.video, isSensitive: false) == "video 1:24, 640x480")
    #expect(QwinkWords.name(of: Self.video, isSensitive: true) == "video 1:24, 640x480, \(AttachmentWords.sensitive)")
    #expect(QwinkWords.name(of: Self.sound(nil), isSensitive: false) == AttachmentWords.word(.audio))
  }

  // MARK: Covers

  private func show(_ qwink: Qwink, opened: Bool) async throws -> (bench: Bench, files: PictureFiles) {
    let bench = try Bench()
    let files = PictureFiles(try PictureFiles.gradient())
    let shelf = files.shelf(for: bench)
    if opened {
      let thread = ThreadViewController(account: bench.account, shelf: shelf)
      thread.show(qwink)
      await bench.show(thread)
    } else {
      bench.cache.replace([TimelineCache.Row(.qwink(qwink))], of: .public, older: nil)
      bench.cache.flush()
      await bench.show(TimelineViewController(name: .public, account: bench.account, shelf: shelf))
    }
    await bench.pass(.milliseconds(150))
    return (bench, files)
  }

  @Test(arguments: [false, true]) func `the cover of a video has a mark with its playing time`(opened: Bool)
    async throws
  {
    let (bench, files) = try await show(qwink([Self.video]), opened: opened)
    #expect(files.asked.contains("https://tilde.example/media/v.png"))
    let line = try #require(bench.lines.first { $0.contains("▶ 1:24") }, "\(bench.text)")
    // The mark is on the picture.
    #expect(line.blockCount > 0, "\(line)")
  }

  @Test func `a covered video has no mark`() async throws {
    let (bench, files) = try await show(qwink([Self.video], isSensitive: true), opened: false)
    #expect(!bench.text.contains("▶") && !files.asked.contains("https://tilde.example/media/v.png"))
  }

  @Test func `a sound without a cover has no picture`() async throws {
    let (bench, files) = try await show(qwink([Self.sound(.seconds(185))]), opened: false)
    #expect(bench.text.contains("▣ audio 3:05: A wren") && !bench.text.contains("▶"))
    #expect(files.asked.allSatisfy { !$0.contains("/media/") })
  }

  // MARK: Link previews

  private func pictureRows(_ bench: Bench) -> [Int] {
    bench.lines.indices.filter { bench.lines[$0].dropFirst(4).blockCount > 0 }
  }

  @Test func `the picture of a link preview is above its title, small in a list and larger in an opened post`()
    async throws
  {
    let (list, files) = try await show(linking(), opened: false)
    #expect(files.asked.contains("https://tilde.example/cards/heron.png"))
    let title = try #require(list.lines.firstIndex { $0.contains("The heron is back") }, "\(list.text)")
    let small = pictureRows(list)
    #expect(small.last == title - 1 && (1...PictureRow.mostCardRows).contains(small.count), "\(list.text)")
    let (thread, _) = try await show(linking(), opened: true)
    let whole = try #require(thread.lines.firstIndex { $0.contains("The heron is back") }, "\(thread.text)")
    let large = pictureRows(thread)
    #expect(large.last == whole - 1 && large.count > PictureRow.mostCardRows, "\(thread.text)")
    #expect(thread.text.contains("At the pond"))
  }

  @Test func `the picture of a sensitive post's link preview isn't fetched`() async throws {
    let (bench, files) = try await show(linking(isSensitive: true), opened: false)
    #expect(!files.asked.contains("https://tilde.example/cards/heron.png"))
    #expect(bench.text.contains(withKeys(PictureWords.covered)), "\(bench.text)")
  }

  @Test func `a warning hides the picture of a link preview`() async throws {
    var hidden = linking()
    hidden.contentWarning = "Birds"
    for opened in [false, true] {
      let (bench, files) = try await show(hidden, opened: opened)
      #expect(!files.asked.contains("https://tilde.example/cards/heron.png") && pictureRows(bench).isEmpty)
    }
  }

  @Test func `a post with pictures shows them instead of its link preview's picture`() async throws {
    var both = linking()
    both.attachments = [Self.video]
    let (_, files) = try await show(both, opened: false)
    #expect(files.asked.contains("https://tilde.example/media/v.png"))
    #expect(!files.asked.contains("https://tilde.example/cards/heron.png"))
  }

  // MARK: Playing

  private func played(
    _ attachments: [QwinkleModel.Attachment], isSensitive: Bool = false, reveals: Bool = false
  ) async throws -> (opener: RecordingOpener, bench: Bench, LinkSheet?, LinkActions) {
    let bench = try Bench()
    let opener = RecordingOpener()
    let links = LinkActions(account: bench.account, opener: opener, keymap: bench.keymap)
    links.navigator = bench.navigator
    let root = ViewController()
    await bench.show(root)
    let qwink = qwink(attachments, isSensitive: isSensitive)
    if reveals { bench.account.timelines.toggleReveal(qwink) }
    links.play(qwink, over: root)
    await bench.settle()
    return (opener, bench, bench.application.window.topSheet as? LinkSheet, links)
  }

  @Test func `the only video of a post is played`() async throws {
    let (opener, bench, _, _) = try await played([Self.video])
    #expect(opener.opened == ["https://tilde.example/media/v.mp4"] && opener.programs == [.player])
    #expect(bench.navigator.words == [LinkWords.playing("tilde.example/media/v.mp4")])
  }

  @Test func `several videos and sounds are listed first`() async throws {
    let (opener, bench, sheet, links) = try await played([Self.video, Self.sound(.seconds(185))])
    #expect(opener.opened.isEmpty && sheet != nil)
    await bench.press("2")
    withExtendedLifetime(links) {}
    #expect(opener.opened == ["https://tilde.example/media/s.mp3"] && opener.programs == [.player])
  }

  @Test func `a sensitive video is played only after it is revealed`() async throws {
    let (hidden, bench, _, _) = try await played([Self.video], isSensitive: true)
    #expect(hidden.opened.isEmpty && bench.navigator.words == [PictureWords.sensitive])
    let (shown, _, _, _) = try await played([Self.video], isSensitive: true, reveals: true)
    #expect(shown.programs == [.player])
  }

  @Test func `an address that isn't of the web isn't played`() async throws {
    for url in ["file:///etc/passwd", "ftp://tilde.example/v.mp4", "-v", "https://tilde.example/a b.mp4"] {
      var video = Self.video
      video.url = url
      let (opener, bench, _, _) = try await played([video])
      #expect(opener.opened.isEmpty && bench.navigator.words == [PictureWords.nothingToPlay], "\(url)")
    }
  }
}
