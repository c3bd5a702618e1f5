/// A mistake in the program, not in its input.
@MainActor
enum ProgrammingError {
  /// Stops a debug build, so that tests show the mistake; a release goes on. Tests may put something else here.
  static var report: @MainActor (String) -> Void = { assertionFailure($0) }
}
