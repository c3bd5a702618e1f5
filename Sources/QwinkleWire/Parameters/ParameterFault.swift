/// The reason for rejecting a request's parameters.
public struct ParameterFault: Error, Hashable, Sendable {
  /// The kind of fault.
  public enum Kind: Hashable, Sendable {
    /// The body is incomplete or doesn't match its Content-Type.
    case unreadable
    /// The body is neither JSON nor a form.
    case unknownType
    /// A parameter's value is invalid or not supported, or there are too many parameters.
    case refused
  }

  public var kind: Kind
  /// The message for the user of the client.
  public var sentence: String

  /// Creates a fault with a message for the user.
  public init(_ sentence: String, kind: Kind = .refused) {
    self.kind = kind
    self.sentence = sentence
  }
}
