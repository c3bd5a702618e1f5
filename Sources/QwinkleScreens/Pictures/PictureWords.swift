import PaneKit
import Pictures
import QwinkleModel

/// Texts about pictures.
enum PictureWords {
  static let none = "No pictures here"
  static let noDescription = "no description"
  static let off = "Pictures are off: :set pictures cells"
  static let notHere = "This terminal shows no pictures"
  static let sensitive = "sensitive: \(Action.reveal.key) shows it"
  static let covered = "\(Action.reveal.key) shows"

  static let diskIsFull = "The disk is full, so pictures can't be cached. Free some space."
  static let fromServer = "\(Action.viewPictures.key) loads pictures from other hosts"
  static let fromAll = "Pictures load from all hosts"
  static let metered = "Pictures load only with \(Action.viewPictures.key)"
  static let notMetered = "Pictures load automatically"

  static func set(_ form: PictureForm) -> String {
    switch form {
    case .kitty: "Pictures in pixels where the terminal can, else in cells"
    case .cells: "Pictures in cells"
    case .off: "No pictures; descriptions only"
    }
  }

  static let saveLabel = "Save as"
  static let savedAs = "Saved as"
  static let saveHint =
    "\(Action.promptRun.key) saves  \(Action.promptComplete.key) completes the path  \(Action.promptLeave.key) cancels"
  static let notZoomed = "The whole picture is shown · \(Action.zoomIn.key) zooms in"
  static let notLarger = "The picture can't be shown larger"
  static let notShown = "No picture is shown yet"
  static let onlyPictures = "Only pictures can be saved · \(Action.openLink.key) opens it outside"

  static let openToSave = "\(Action.openPicture.key) shows it in full · then \(Action.savePicture.key) saves it"
  static let inFull = "The picture is shown in full"
  static let noThumbnails = "No room for thumbnails"
  static let onlyOne = "There is only one picture"
  static let nothingToPlay = "No video or sound here"

  /// `Pictures · 2 of 4`.
  static func thumbnails(_ index: Int, of count: Int) -> String { "Pictures · \(index + 1) of \(count)" }

  /// `Picture 2 of 3 · 200 %`.
  static func title(_ index: Int, of count: Int, _ zoom: PictureZoom = .fit) -> String {
    (count == 1 ? "Picture" : "Picture \(index + 1) of \(count)") + (zoom.isLarger ? " · \(zoom.percent) %" : "")
  }

  static func replaceQuestion(_ name: String) -> String { "Replace the file \(name)?" }

  /// `Saved as ~/heron.png (312 KB)`.
  static func saved(as path: String, _ byteCount: Int) -> String {
    "\(savedAs) \(path) (\(ResourceWords.size(byteCount)))"
  }

  /// `loading 40 %`. Omits the percentage once the whole file has arrived, because the picture still has to be decoded.
  static func loading(_ fraction: Double?) -> String {
    fraction.flatMap { $0 < 1 ? $0 : nil }.map { "loading \(Int(($0 * 100).rounded(.down))) %" } ?? "loading"
  }

  /// The description of an attachment, or a note that it has none.
  static func altText(of attachment: Attachment) -> String {
    attachment.altText.flatMap { $0.isEmpty ? nil : $0 } ?? noDescription
  }

  /// Returns `▶ 1:24` for a video, an animation or a sound, without a time if it is unknown. Empty for a picture.
  static func mark(of attachment: Attachment) -> String {
    guard attachment.isPlayed else { return "" }
    return "▶" + (attachment.duration.map { " \(AttachmentWords.time($0))" } ?? "")
  }

  /// Shown in place of a picture that could not be loaded.
  static func failed(_ reason: String) -> String { "No picture: \(reason)" }
}
