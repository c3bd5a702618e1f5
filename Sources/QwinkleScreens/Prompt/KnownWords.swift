import QwinkleAccount
import QwinkleModel

/// Words that arguments of commands may be, from what has been seen so far.
@MainActor
enum KnownWords {
  /// Sorted, each once.
  static func words(_ kind: PromptCommand.Argument.Kind, in account: Account, accounts: @autoclosure () -> [String])
    -> [String]
  {
    switch kind {
    case .account: accounts()
    case .timeline: TimelineName.words + tags(in: account).map { "#\($0)" }
    case .setting: ScreenSetting.allCases.map(\.rawValue)
    case .tag: tags(in: account)
    case .qwinker: handles(in: account)
    case .url, .words: []
    }
  }

  private static func tags(in account: Account) -> [String] {
    // One tag is written in several ways; any of them will do.
    var tags: [String: String] = [:]
    for tag in account.timelines.knownQwinks.flatMap(\.tags) where tags[tag.lowercased()] == nil {
      tags[tag.lowercased()] = tag
    }
    return tags.values.sorted()
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
