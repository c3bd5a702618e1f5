import CNcurses
public import Terminal

/// Chooses the driver of the terminal that the program was started in.
@MainActor
public enum DriverChoice {
  /// Returns a driver for the terminal that is open at the descriptor `input` and at standard output.
  ///
  /// - Parameters:
  ///   - isLinear: Whether the driver must only append text. If the terminal is unknown or can't position text, the
  ///     driver only appends text in any case.
  ///   - form: The character set and widths (``TextForm``) that the user has set, if any.
  public static func driver(isLinear: Bool, input: Int32, form: TextForm? = nil) -> any ProcessDriver {
    let kind = TerminalEnvironment.current.kind
    if isLinear || TerminalKind.isLinear(kind) || !TerminalKind.candidates(for: kind).contains(where: { qw_knows($0) })
    {
      return LinearDriver(input: input, output: 1, form: form)
    }
    return CursesDriver(input: input, output: 1, form: form)
  }
}
