import QwinkleAccount
import QwinkleConfig
import QwinkleModel
import QwinkleService

/// Finds the sections and places that the names in a layout stand for. Handles, lists and posts that aren't known are
/// fetched, one after another.
@MainActor
final class LayoutResolver {
  /// The content of a pane before it is created.
  enum Content {
    case section(Section)
    case place(Place)
  }

  /// The content of each name that exists.
  private(set) var found: [PaneName: Content] = [:]
  /// Whether a name could not be fetched.
  private(set) var hasFailed = false
  /// Sentences about the names without content.
  private(set) var reasons: [String] = []

  private let account: Account
  private let sections: [Section]
  private let views: [OwnView]
  /// The names to find, last first.
  private var names: [PaneName]
  private let completion: @MainActor (LayoutResolver) -> Void
  private var fetch: Fetch?
  /// Identifiers of the contents that were found.
  private var keys: Set<String> = []

  /// `completion` is called once.
  init(
    _ names: [PaneName], in account: Account, sections: [Section], views: [OwnView],
    completion: @escaping @MainActor (LayoutResolver) -> Void
  ) {
    self.account = account
    self.sections = sections
    self.views = views
    self.names = names.reversed()
    self.completion = completion
  }

  /// Finds the names. Completes at once if nothing has to be fetched. Destroying the resolver cancels its request.
  func start() {
    while let name = names.popLast() {
      guard find(name) else { return }
    }
    completion(self)
  }

  /// Returns false if the name has to be fetched. ``start()`` continues afterwards.
  private func find(_ name: PaneName) -> Bool {
    switch name {
    case .timeline(let timeline):
      if timeline.needsAccount, !account.isSignedIn {
        reasons.append(PromptWords.signIn)
      } else {
        add(Section(rawValue: name.word).map { .section($0) } ?? .place(.timeline(timeline)), for: name)
      }
    case .remote(let timeline): add(.place(account.place(of: timeline)), for: name)
    case .screen(let word): if let content = screen(word) { add(content, for: name) }
    case .search(let words): add(.place(.search(words)), for: name)
    case .view(let word):
      let view = views.first { $0.name.lowercased() == word.lowercased() }
      take(view.map { .view($0) }, for: name, else: LayoutWords.noView(word))
    case .chat(let handles):
      let chat = account.inbox.conversations.first { $0.handles(besides: account.identity.me) == Set(handles) }
      take(chat.map { .conversation($0) }, for: name, else: LayoutWords.noChat(handles))
    case .list(let title):
      ask(.lists, for: name, else: LayoutWords.noList(title)) { lists in
        lists.named(title).map { .timeline(.list($0.id, title: $0.title)) }
      }
      return false
    case .user(let handle):
      let authors = account.timelines.knownQwinks.lazy.map(\.author)
      guard let known = authors.first(where: { $0.isCalled(handle) }) else {
        ask(.lookup(handle: handle), for: name, else: "") { .qwinker($0) }
        return false
      }
      add(.place(.qwinker(known)), for: name)
    case .thread(let id):
      guard let known = account.timelines.knownQwinks.first(where: { $0.id == id }) else {
        ask(.qwink(id), for: name, else: "") { .thread($0) }
        return false
      }
      add(.place(.thread(known)), for: name)
    }
    return true
  }

  /// Returns the section or place with a name of ``PaneName/screens``. If it needs an account, adds a reason.
  private func screen(_ word: String) -> Content? {
    if let section = Section(rawValue: word) {
      if sections.contains(section) { return .section(section) }
      reasons.append(MainWords.isMissing(section))
      return nil
    }
    let place: Place? =
      switch word {
      case "catchup": .catchUp
      case "drafts": .drafts
      case "outbox": .outbox
      case "resources": .resources
      default: ManagedListKind(rawValue: word).map { .records($0) }
      }
    return place.map { .place($0) }
  }

  private func take(_ place: Place?, for name: PaneName, else reason: String) {
    if let place { add(.place(place), for: name) } else { reasons.append(reason) }
  }

  /// Different names can stand for the same place: `@bob` and `@bob@tilde.example`.
  private func add(_ content: Content, for name: PaneName) {
    let key =
      switch content {
      case .section(let section): "section \(section.rawValue)"
      case .place(let place): place.restorationIdentifier
      }
    if keys.insert(key).inserted { found[name] = content } else { reasons.append(LayoutWords.twice(name.word)) }
  }

  private func ask<Answer>(
    _ request: Request<Answer>, for name: PaneName, else reason: String, _ place: @escaping (Answer) -> Place?
  ) {
    fetch = account.fetch(request) { [weak self] result in
      guard let self else { return }
      fetch = nil
      switch result {
      case .success(let answer): take(place(answer), for: name, else: reason)
      case .failure(let error):
        hasFailed = true
        reasons.append("\(name.word): \(error.sentence)")
      }
      start()
    }
  }
}

extension Account {
  /// The place of another server's timeline. If it is of the user's server, the place is the user's own timeline.
  func place(of timeline: RemoteTimeline) -> Place {
    timeline.address.map(isOwn) ?? false ? .timeline(timeline.name) : .remote(timeline)
  }
}

extension Place {
  /// The place's name in layouts. Nil if layouts can't have this place.
  @MainActor
  func paneName(in account: Account) -> PaneName? {
    switch self {
    case .timeline(let name): .timeline(name)
    case .remote(let timeline): .remote(timeline)
    case .search(let words): .search(words)
    case .view(let view): OwnView.isName(view.name) ? .view(view.name) : nil
    case .qwinker(let qwinker): .user(qwinker.handle)
    case .conversation(let conversation): .chat(conversation.handles(besides: account.identity.me).sorted())
    case .thread(let qwink): .thread(qwink.id)
    case .catchUp, .drafts, .outbox, .resources: .screen(restorationIdentifier)
    case .records(let kind): .screen(kind.rawValue)
    case .qwinkers, .collections, .versions, .pictures, .filteredNotifications, .filterMatches: nil
    }
  }
}

extension Conversation {
  /// The handles of the participants without `me`, or of all participants if only `me` is left.
  func handles(besides me: Qwinker?) -> Set<String> {
    let others = participants.filter { $0.id != me?.id }
    return Set((others.isEmpty ? participants : others).map(\.handle))
  }
}
