import FoundationEssentials
import SafeText

extension EntryRules {
  /// Splits `entry` into the parts of a thread, ready to be sent. Only the first part has the parent, the quote, the
  /// files and the poll. The others reply to the previous part, whose id is unknown until it is posted, so they have no
  /// parent yet. All parts have the same content warning, language and visibility, and all parts of a direct thread
  /// mention the recipients.
  ///
  /// - Returns: One part if the entry needn't be split. Nil if it can't be split: an edit, a message in a conversation,
  ///   or a text that doesn't fit into a thread.
  public func thread(of entry: Entry, numbered isNumbered: Bool, limits: ServerInfo.Limits) -> [Entry]? {
    if purpose.isEdit { return nil }
    if case .conversation = purpose { return nil }
    let whole = outgoing(entry)
    // A text longer than this isn't searched for mentions, so its recipients are unknown.
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
        part.quotedID = nil
        part.attachmentIDs = []
        part.poll = nil
      }
      return part
    }
    let fit = parts.allSatisfy { (remaining(of: $0, limits: limits) ?? -1) >= 0 }
    return fit ? parts : nil
  }
}
