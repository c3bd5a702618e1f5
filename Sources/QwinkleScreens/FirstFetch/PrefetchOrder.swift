/// The requests of the first start on an account, in order. Each step begins after the previous one has ended.
struct PrefetchOrder: Hashable {
  enum Step: Hashable {
    /// The server's description and the user's own profile.
    case identity
    /// The first page of a section's list.
    case page(Section)
    /// The avatars of a section's first page. For the first section, also the user's own.
    case avatars(Section)
  }

  /// The steps that the first screen needs.
  let initial: [Step]
  /// The steps for the other sections, in the order of the header.
  let later: [Step]

  var steps: [Step] { initial + later }

  /// - Parameters:
  ///   - sections: The account's sections, in the order of the header.
  ///   - first: The section that is shown first.
  ///   - showsAvatars: Whether the terminal and the settings show avatars.
  ///   - isMetered: Whether pictures load only on a key press. If so, only lists that the program always fetches are
  ///     fetched, because the header counts their unread rows.
  init(sections: [Section], first: Section, showsAvatars: Bool, isMetered: Bool) {
    func steps(_ section: Section) -> [Step] {
      guard section.hasPage else { return [] }
      return [.page(section)] + (showsAvatars && !isMetered ? [.avatars(section)] : [])
    }
    // The list needs no profile, so its page is requested first.
    let own = steps(first)
    initial = own.prefix(1) + [.identity] + own.dropFirst()
    later = sections.filter { $0 != first && (!isMetered || $0.isPersonal) }.flatMap(steps)
  }
}

extension Section {
  /// Whether the section is a list that the server pages. A search has no page before the user searches.
  fileprivate var hasPage: Bool {
    switch self {
    case .public, .home, .messages, .notifications, .bookmarks: true
    case .search, .views: false
    }
  }
}
