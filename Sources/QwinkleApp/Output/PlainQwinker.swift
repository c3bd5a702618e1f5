import QwinkleModel

/// A qwinker as plain text: name, handle and profile note.
enum PlainQwinker {
  static func text(_ qwinker: Qwinker) -> String {
    let note = qwinker.note.structuredText
    return "\(qwinker.displayName)  @\(qwinker.handle)\n" + (note.isEmpty ? "" : note.indented(by: 2) + "\n")
  }
}

/// A tag as plain text.
enum PlainTag {
  static func text(_ tag: Tag) -> String {
    let uses = tag.usesCount.map { $0 == 1 ? "  1 qwink" : "  \($0) qwinks" } ?? ""
    return "#\(tag.name)\(uses)\n"
  }
}
