import PaneKit
import QwinkleModel
import QwinkleTesting
import Terminal

@testable import OnDemandResources
@testable import QwinkleScreens

/// A bench whose screens get the same file for the address of every picture.
@MainActor
struct PictureBench {
  let bench: Bench
  let files: PictureFiles
  /// Retained here, because some screens get only its resource manager.
  let shelf: PictureShelf

  var manager: ResourceManager { shelf.resources }

  /// `bytes` is the file. The default is a picture.
  init(_ bytes: [UInt8]? = nil, gate: Gate? = nil, rows: Int = 24, columns: Int = 80) throws {
    bench = try Bench(rows: rows, columns: columns)
    files = PictureFiles(try bytes ?? PictureFiles.gradient(), gate: gate)
    shelf = files.shelf(for: bench)
  }
}

/// The viewer, which shows the attachments of one qwink.
@MainActor
struct ViewedPictures {
  let bench: Bench
  let files: PictureFiles
  let opener = RecordingOpener()
  let settings = ReaderSettings()
  let viewer: PictureViewController

  var index: Int { viewer.index }
  var isGrid: Bool { viewer.grid != nil }

  init(
    _ kinds: [QwinkleModel.Attachment.Kind] = [.image], rows: Int = 24, columns: Int = 80, isSensitive: Bool = false,
    isRestoredMetered: Bool = false
  ) async throws {
    let pictures = try PictureBench(rows: rows, columns: columns)
    bench = pictures.bench
    files = pictures.files
    var qwink = ScriptedTimeline.qwink(7)
    qwink.isSensitive = isSensitive
    qwink.attachments = kinds.enumerated().map { number, kind in
      QwinkleModel.Attachment(
        id: .init("a\(number)"), kind: kind, url: "https://tilde.example/media/large-\(number).png",
        previewURL: kind == .unknown ? nil : "https://tilde.example/media/\(number).png", altText: "Leek \(number)",
        width: 96, height: 64, duration: kind == .image ? nil : .seconds(84))
    }
    let links = LinkActions(account: bench.account, opener: opener, keymap: bench.keymap)
    viewer = PictureViewController(
      qwink: qwink, account: bench.account, shelf: pictures.shelf, settings: settings, links: links)
    viewer.navigator = bench.navigator
    links.navigator = bench.navigator
    if isRestoredMetered {
      pictures.manager.isMetered = true
      viewer.decodeRestorableState(with: [:])
    }
    await bench.show(viewer)
  }
}

extension StringProtocol {
  /// Number of block characters, of which pictures consist. Cells of one colour are blank.
  var blockCount: Int { unicodeScalars.count { (0x2580...0x259F).contains($0.value) } }
}
