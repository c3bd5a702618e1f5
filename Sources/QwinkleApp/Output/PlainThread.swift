import QwinkleModel

/// A thread as plain text: ancestors above the qwink, replies below it, each indented under its parent.
enum PlainThread {
  /// Maximum levels of indentation.
  private static let mostSteps = 8

  static func text(
    of qwink: Qwink, in thread: QwinkThread, translations: PlainTranslations = PlainTranslations(),
    _ style: PlainStyle
  ) -> String {
    let thread = thread.withoutRepetitions(around: qwink)
    var steps = [qwink.originalID: 0]
    var parts = thread.ancestors.map { translations.text($0, in: .thread, style) }
    // `▶` marks the requested qwink.
    parts.append("▶ " + translations.text(qwink, in: .thread, style.indented(by: 2)))
    for reply in thread.descendants {
      // If the parent was deleted or isn't visible to the reader, indent the reply like a direct reply to the requested
      // qwink.
      let step = (reply.inReplyTo.flatMap { steps[$0] } ?? 0) + 1
      steps[reply.originalID] = step
      let indent = 2 * min(step, mostSteps)
      parts.append(translations.text(reply, in: .thread, style.indented(by: indent)).indented(by: indent))
    }
    let text = parts.joined(separator: "\n")
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
