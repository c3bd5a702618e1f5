extension Qwinker {
  /// The characters that look like an at sign: `@`, and its fullwidth and small forms.
  private static let atSigns: Set<Unicode.Scalar> = ["@", "\u{FF20}", "\u{FE6B}"]

  /// The name for places that show no handle next to it: the display name, or `@handle` if the display name has an at
  /// sign and could pass for another user's handle.
  public var shortName: String {
    displayName.unicodeScalars.contains(where: Self.atSigns.contains) ? "@\(handle)" : displayName
  }
}
