import CNcurses
public import Terminal

/// Chooses the driver of the terminal that the program was started in.
@MainActor
public enum DriverChoice {
  /// A driver for the terminal that these descriptors are open on. It only appends text where `isLinear`, or where the
  /// terminal cannot place text or is unknown. `form` is what the user says about how the terminal draws text.
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
