public import FoundationEssentials
public import QwinkleModel

extension Qwinker {
  /// Returns a qwinker with this user name. The default id is the name with `-id` appended.
  public static func sample(_ userName: String = "alice", id: Qwinker.ID? = nil, displayName: String = "") -> Qwinker {
    Qwinker(id: id ?? Qwinker.ID("\(userName)-id"), userName: userName, displayName: displayName)
  }
}

extension Qwink {
  /// A plain public qwink.
  public static func sample(
    id: Qwink.ID = "1", text: String = "Hello", author: Qwinker = .sample(),
    at date: Date = Date(timeIntervalSince1970: 1_767_225_600)
  ) -> Qwink {
    Qwink(id: id, author: author, createdAt: date, text: RichText(plain: text))
  }
}

extension Page<Qwink> {
  /// A page of plain qwinks with these ids, newest first, one minute apart.
  public static func sample(ids: [String], older: String? = nil, newer: String? = nil) -> Page<Qwink> {
    let newest = Date(timeIntervalSince1970: 1_767_225_600)
    return Page(
      items: ids.enumerated().map { index, id in
        .sample(id: Qwink.ID(id), text: "Qwink \(id)", at: newest.addingTimeInterval(-60 * Double(index)))
      },
      older: older.map { PageCursor(url: $0) }, newer: newer.map { PageCursor(url: $0) })
  }
}
