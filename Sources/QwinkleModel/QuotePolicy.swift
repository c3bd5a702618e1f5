/// The users who may quote a post. Raw values as on the wire.
public enum QuotePolicy: String, Hashable, Sendable, Codable, CaseIterable {
  case `public`, followers, nobody
}

extension Visibility {
  /// Whether the author can choose a quote policy. Only the author can quote posts of the other visibilities.
  public var hasQuotePolicy: Bool { self == .public || self == .unlisted }
}

/// The rules for quotes of a post, and their effect on the signed-in user.
/// <https://docs.joinmastodon.org/entities/QuoteApproval/>
public struct QuoteApproval: Hashable, Sendable {
  /// Groups of users, as a set in one byte, because posts are copied often.
  public struct Groups: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let `public` = Groups(rawValue: 1)
    public static let followers = Groups(rawValue: 2)
    /// The accounts that the author follows.
    public static let following = Groups(rawValue: 4)
    /// Groups that the API can't describe.
    public static let other = Groups(rawValue: 8)
  }

  /// The effect on the signed-in user. Raw values as on the wire.
  public enum Effect: String, Hashable, Sendable, CaseIterable {
    case automatic, manual, denied, unknown
  }

  /// The users whose quotes are approved automatically.
  public var automatic: Groups
  /// The users whose quotes the author reviews.
  public var manual: Groups
  public var effect: Effect

  public init(automatic: Groups = [], manual: Groups = [], effect: Effect = .unknown) {
    self.automatic = automatic
    self.manual = manual
    self.effect = effect
  }

  public init(_ policy: QuotePolicy, effect: Effect) {
    switch policy {
    case .public: self.init(automatic: .public, effect: effect)
    case .followers: self.init(automatic: .followers, effect: effect)
    case .nobody: self.init(effect: effect)
    }
  }

  /// The policy with these rules. Nil if no policy of the API has them.
  public var policy: QuotePolicy? {
    guard manual.isEmpty else { return nil }
    return switch automatic {
    case .public: .public
    case .followers: .followers
    case []: .nobody
    default: nil
    }
  }
}

/// The reason why the user can't quote a post.
public enum QuoteRefusal: Hashable, Sendable {
  case direct
  /// A followers-only post by another author.
  case followersOnly
  /// The author accepts no quotes by the user. `allowsFollowers` is true if followers may quote the post.
  case denied(allowsFollowers: Bool)
  /// Neither the post nor the server's description shows that the server supports quotes.
  case unsupported

  /// Returns the reason why the user can't quote `qwink`, or nil if the server may accept a quote.
  ///
  /// - Parameters:
  ///   - me: The user's id, if known.
  ///   - isSupported: Whether the server supports quotes. Nil if unknown.
  public init?(of qwink: Qwink, by me: Qwinker.ID?, isSupported: Bool?) {
    if isSupported == false {
      self = .unsupported
    } else if qwink.visibility == .direct {
      self = .direct
    } else if qwink.quoteApproval == nil, isSupported == nil {
      self = .unsupported
    } else if qwink.author.id == me {
      return nil
    } else if qwink.visibility == .private {
      self = .followersOnly
    } else if let approval = qwink.quoteApproval, approval.effect == .denied || approval.effect == .unknown {
      self = .denied(allowsFollowers: !approval.automatic.union(approval.manual).isDisjoint(with: .followers))
    } else {
      return nil
    }
  }

  /// The reason. Nil for ``unsupported``, because the sentence contains the server's name.
  public func sentence(for qwink: Qwink) -> String? {
    switch self {
    case .direct: "Direct messages can't be quoted."
    case .followersOnly: "Followers-only posts can be quoted only by their author."
    case .denied(true): "Only followers of @\(qwink.author.handle) can quote this post."
    case .denied(false): "@\(qwink.author.handle) does not allow you to quote this post."
    case .unsupported: nil
    }
  }
}
