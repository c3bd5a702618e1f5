extension Qwinker {
  /// Characters that look like an at sign: `@` and its fullwidth and small forms.
  private static let atSigns: Set<Unicode.Scalar> = ["@", "\u{FF20}", "\u{FE6B}"]

  /// The name to show without a handle next to it: the display name, or `@handle` if the display name contains an at
  /// sign and so could imitate another user's handle.
  public var shortName: String {
    displayName.unicodeScalars.contains(where: Self.atSigns.contains) ? "@\(handle)" : displayName
  }
}
