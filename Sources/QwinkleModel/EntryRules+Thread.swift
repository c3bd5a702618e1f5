import FoundationEssentials
import SafeText

extension EntryRules {
  /// `entry` as the parts of a thread, as they are to be sent: each is a reply to the one before. Files and a poll go
  /// with the first; all have the content warning, the language and the audience, and those of a direct thread all name
  /// their readers. One part if it need not be split; nil if it can't be: it is an edit, a message in a chat, or too
  /// long even so.
  public func thread(of entry: Entry, numbered isNumbered: Bool, limits: ServerInfo.Limits) -> [Entry]? {
    if purpose.isEdit { return nil }
    if case .conversation = purpose { return nil }
    let whole = outgoing(entry)
    // Beyond this, names and links are not found.
    guard whole.text.utf8.count <= Self.mostBytes else { return nil }
    let names = whole.visibility == .direct ? recipients(of: whole).map { "@\($0) " }.joined() : ""
    let splitter = ThreadSplitter(
      limits: limits, reserved: whole.contentWarning.count, prefix: names, isNumbered: isNumbered)
    guard let texts = splitter.parts(of: whole.text) else { return nil }
    guard texts.count > 1 else { return [whole] }
    let parts = texts.enumerated().map { index, text in
      var part = whole
      part.text = text
      part.idempotencyKey = UUID().uuidString
      if index > 0 {
        part.inReplyTo = nil
        part.attachmentIDs = []
        part.poll = nil
      }
      return part
    }
    let fit = parts.allSatisfy { (remaining(of: $0, limits: limits) ?? -1) >= 0 }
    return fit ? parts : nil
  }
}
