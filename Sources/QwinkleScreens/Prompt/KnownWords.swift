import QwinkleAccount
import QwinkleModel

/// Completions of command arguments, from data seen so far.
@MainActor
enum KnownWords {
  /// Returns the completions. Tags and handles are sorted, without duplicates.
  static func words(
    _ kind: PromptCommand.Argument.Kind, in account: Account, accounts: @autoclosure () -> [String],
    views: @autoclosure () -> [String], layouts: @autoclosure () -> [String]
  ) -> [String] {
    switch kind {
    case .account: accounts()
    case .timeline: TimelineName.words + tags(in: account).map { "#\($0)" } + servers(in: account)
    case .setting: ScreenSetting.examples
    case .tag: tags(in: account)
    case .qwinker: handles(in: account)
    case .view: views()
    case .layout: ["save "] + layouts()
    case .notifications: NotificationType.allCases.map(\.rawValue)
    case .report:
      Report.Category.allCases.map(\.rawValue)
        + (account.identity.rules?.isEmpty == false ? [TypedReport.ruleWord] : [])
    case .quotePolicy: QuotePolicy.allCases.map(\.rawValue)
    case .hidden: HiddenKind.allCases.map(\.rawValue)
    case .picture: [OwnProfile.Picture.nothing]
    case .url: servers(in: account)
    case .words: []
    }
  }

  private static func tags(in account: Account) -> [String] {
    // Tags that differ only in case are equal, so any spelling will do.
    var tags: [String: String] = [:]
    for tag in account.timelines.knownQwinks.flatMap(\.tags) where tags[tag.lowercased()] == nil {
      tags[tag.lowercased()] = tag
    }
    return tags.values.sorted()
  }

  /// The local timelines of known users' servers.
  private static func servers(in account: Account) -> [String] {
    let hosts = handles(in: account).compactMap { $0.split(separator: "@").dropFirst().last.map(String.init) }
    return Set(hosts).compactMap { RemoteTimeline(host: $0)?.word }.sorted()
  }

  private static func handles(in account: Account) -> [String] {
    var handles: Set<String> = []
    for qwink in account.timelines.knownQwinks {
      handles.insert(qwink.author.handle)
      if let booster = qwink.booster { handles.insert(booster.handle) }
      for mention in qwink.mentions { handles.insert(mention.handle) }
    }
    return handles.sorted()
  }
}
