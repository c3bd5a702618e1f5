import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// Texts about an entry's files.
enum EntryFileWords {
  static let label = "File"
  static let placeholder = "Path of a picture, video or sound; \(Action.entryComplete.key) completes"
  static let altLabel = "Alt text"

  static func altPlaceholder(_ name: String) -> String { "Describe \(name) for people who can't see it" }

  static let notInEdits =
    "Files can't be added to a published post. \(Action.redraft.key) deletes it and lets you write it again."
  static let pollOrFiles = "A post has a poll or files, not both."
  static let none = "No file to remove"

  static func tooMany(_ most: Int) -> String { "The server accepts at most \(Counted.words(most, "file"))." }

  static func attachedAlready(_ name: String) -> String { "\(name) is attached already." }

  static func notAttached(_ error: AttachmentError) -> String { "Not attached: \(error.sentence)" }

  static func notPosted(_ error: AttachmentError) -> String {
    "Not sent: \(error.sentence) Remove the file, or attach it again."
  }

  static func notDescribed(_ name: String, _ error: DownloadError) -> String {
    "The description of \(name) was not saved. Sending retries it. \(error.summary)"
  }

  static func cancelled(_ name: String) -> String { "Upload of \(name) cancelled" }

  static func removed(_ name: String) -> String { "\(name) removed" }

  static func sendsWhenReady(_ count: Int) -> String {
    "Sent when \(count == 1 ? "the file is" : "the files are") uploaded"
  }

  static func uploadsCancelled(_ count: Int) -> String { "\(Counted.words(count, "upload")) cancelled" }

  static func savedBeforeUpload(_ count: Int) -> String {
    "Draft saved; opening it uploads \(Counted.words(count, "file")) again"
  }

  /// Returns the file's name, or `Picture 1` if the name isn't known.
  static func name(of file: EntryAttachments.File, number: Int) -> String {
    file.name ?? name(ofUnnamed: file.kind, number: number)
  }

  static func name(ofUnnamed kind: Attachment.Kind, number: Int) -> String {
    "\(AttachmentWords.word(kind).capitalizingFirst) \(number)"
  }

  static let uploaded = "uploaded"
  static let reading = "reading"
  static let failed = "failed"
  static let uploading = "uploading"
  static let processing = "the server processes it"

  static func uploading(percent: Int) -> String { "\(uploading) \(percent) %" }

  /// Returns a text for the file's state, with the upload progress.
  static func state(_ file: EntryAttachments.File) -> String {
    switch file.state {
    case .reading: reading
    case .sending(let sent, let total) where total > 0 && sent > 0: uploading(percent: min(99, sent * 100 / total))
    case .sending: uploading
    case .processing: processing
    case .ready: uploaded
    case .failed: failed
    }
  }

  /// Returns a size such as `312 KB`.
  static func size(_ bytes: Int) -> String {
    bytes >= 1_048_576
      ? "\(bytes / 1_048_576).\(bytes % 1_048_576 * 10 / 1_048_576) MB" : "\(max(1, (bytes + 1023) / 1024)) KB"
  }

  /// Asked before files without a description are posted.
  static func undescribed(_ count: Int) -> String {
    "\(Counted.words(count, "file")) \(count == 1 ? "has" : "have") no description. Post anyway?"
  }

  static let describe = "describe"
  static let noAltText = "no alt text"
  static let notDescribed = "not saved"
}
