extension ServerInfo {
  /// Sentences about the server's usage, limits and version.
  public var facts: [String] {
    var facts: [String] = []
    if let stats {
      if stats.users > 0 {
        facts.append("\(Counted.words(stats.users, "user")) and \(Counted.words(stats.posts, "post")).")
      }
      if stats.active > 0 {
        facts.append("\(Counted.words(stats.active, "user")) posted in the last month.")
      }
    }
    let files = limits.lacking.contains(.uploads) ? 0 : limits.attachments
    facts.append(
      "Up to \(Counted.words(limits.characters, "character"))"
        + (files > 0 ? " and \(Counted.words(files, "file"))" : "") + " per post.")
    if isOpen { facts.append("Registration is open.") }
    if !version.isEmpty { facts.append("Version \(version)") }
    return facts
  }
}
