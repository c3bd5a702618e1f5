public import QwinkleModel
public import QwinkleService

/// The hashtags that accounts feature on their profiles. Loaded while a profile is open.
@MainActor
public final class FeaturedTags {
  private static let mostAccounts = 50

  private let connection: AccountConnection
  private var tags: [Qwinker.ID: [FeaturedTag]] = [:]
  private var downloads: [DownloadIdentifier: Qwinker.ID] = [:]

  init(_ connection: AccountConnection) {
    self.connection = connection
  }

  /// Returns the hashtags on an account's profile. Empty until they are loaded.
  public func tags(of id: Qwinker.ID) -> [FeaturedTag] { tags[id] ?? [] }

  /// Fetches the hashtags on an account's profile and notifies observers of changes. Ignores failures. The caller has
  /// received the account, so that “not found” means that the server has no featured hashtags.
  public func load(of id: Qwinker.ID) {
    guard connection.abilities[.featuredTags] != false, !downloads.values.contains(id) else { return }
    downloads[connection.start(.featuredTags(of: id), delegate: self)] = id
  }

  /// Finds the user's own featured hashtags by name.
  static func find(_ name: String, in tags: [FeaturedTag]) -> FeaturedTag? {
    tags.first { $0.name.lowercased() == name.lowercased() }
  }

  private func set(_ new: [FeaturedTag], of id: Qwinker.ID) {
    guard new != tags[id] ?? [] else { return }
    if tags.count >= Self.mostAccounts { tags = [:] }
    tags[id] = new
    connection.observers.forEach { $0.featuredTags(self, didChangeOf: id) }
  }
}

extension FeaturedTags: DownloadServiceDelegate {
  public func downloadService<Answer>(
    _ service: DownloadService, didDownload answer: Answer, of request: Request<Answer>,
    for identifier: DownloadIdentifier
  ) {
    if let id = downloads[identifier], let answer = answer as? [FeaturedTag] { set(answer, of: id) }
  }

  public func downloadService(
    _ service: DownloadService, didFailWith error: DownloadError, for identifier: DownloadIdentifier
  ) {}

  public func downloadService(_ service: DownloadService, didFinish identifier: DownloadIdentifier) {
    downloads[identifier] = nil
  }
}

@MainActor
public protocol FeaturedTagsObserver: AnyObject {
  /// Called when the hashtags on an account's profile have changed.
  func featuredTags(_ featuredTags: FeaturedTags, didChangeOf id: Qwinker.ID)
}

extension FeaturedTagsObserver {
  public func featuredTags(_ featuredTags: FeaturedTags, didChangeOf id: Qwinker.ID) {}
}

extension Account {
  /// Features a hashtag on the user's profile, or removes it. ``undo()`` reverses it. `isChanged` is false if nothing
  /// had to be changed.
  public func featureTag(_ name: String, isOn: Bool, done: @escaping @MainActor (_ isChanged: Bool) -> Void) {
    change(by: .ownFeaturedTags, failing: FailureWords.featuring(name, isOn: isOn)) { [weak self] tags in
      guard let self else { return }
      let known = FeaturedTags.find(name, in: tags)
      guard (known != nil) != isOn else { return done(false) }
      if let known {
        unfeature(known) { [weak self] in
          self?.rememberAct(undoneAs: FailureWords.featured(name, isOn: true)) { [weak self] in
            self?.feature(name) { _ in }
          }
          done(true)
        }
      } else {
        feature(name) { [weak self] tag in
          self?.rememberAct(undoneAs: FailureWords.featured(name, isOn: false)) { [weak self] in
            self?.unfeature(tag) {}
          }
          done(true)
        }
      }
    }
  }

  private func feature(_ name: String, done: @escaping @MainActor (FeaturedTag) -> Void) {
    change(by: .featureTag(name), failing: FailureWords.featuring(name, isOn: true)) { [weak self] tag in
      self?.loadOwnFeaturedTags()
      done(tag)
    }
  }

  private func unfeature(_ tag: FeaturedTag, done: @escaping @MainActor () -> Void) {
    change(by: .unfeatureTag(tag.id), failing: FailureWords.featuring(tag.name, isOn: false)) { [weak self] in
      self?.loadOwnFeaturedTags()
      done()
    }
  }

  private func loadOwnFeaturedTags() {
    if let me = identity.me { featuredTags.load(of: me.id) }
  }
}

extension AccountConnection {
  /// Features a hashtag on the user's profile, or removes it. Returns whether anything had to be changed.
  public func featureTag(_ name: String, isOn: Bool) async throws(DownloadError) -> Bool {
    let known = FeaturedTags.find(name, in: try await answer(to: .ownFeaturedTags))
    guard (known != nil) != isOn else { return false }
    if let known {
      try await answer(to: .unfeatureTag(known.id))
    } else {
      _ = try await answer(to: .featureTag(name))
    }
    return true
  }
}
