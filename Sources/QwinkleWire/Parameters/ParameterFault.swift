/// Why a request's parameters are refused.
public struct ParameterFault: Error, Hashable, Sendable {
  /// What is wrong with them.
  public enum Kind: Hashable, Sendable {
    /// The body is not what its Content-Type says, or it is incomplete.
    case unreadable
    /// The body is neither JSON nor a form.
    case unknownType
    /// A parameter has a value that it can't have, is not supported, or there are too many.
    case refused
  }

  public var kind: Kind
  /// What is wrong, for the person whose client sent it.
  public var sentence: String

  /// A fault; that of a parameter unless `kind` says otherwise.
  public init(_ sentence: String, kind: Kind = .refused) {
    self.kind = kind
    self.sentence = sentence
  }
}
