import CNcurses
public import Terminal

/// Chooses how the terminal that the program was started in is used.
@MainActor
public enum DriverChoice {
  /// A driver for the terminal that these descriptors are open on. Where `isLinear` is asked for, or a terminal cannot
  /// place text or does not say what it can, text is only appended. `form` is what the user says of how it draws text.
  public static func driver(
    isLinear: Bool, input: Int32, output: Int32, form: TextForm? = nil
  ) -> any ProcessDriver {
    let kind = TerminalEnvironment.current.kind
    if isLinear || TerminalKind.isLinear(kind) || !TerminalKind.candidates(for: kind).contains(where: { qw_knows($0) })
    {
      return LinearDriver(input: input, output: output, form: form)
    }
    return CursesDriver(input: input, output: output, form: form)
  }
}
