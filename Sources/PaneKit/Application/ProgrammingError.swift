/// A bug in the program, as opposed to invalid input.
@MainActor
enum ProgrammingError {
  /// Stops a debug build, so that tests fail; a release build continues. Tests can replace it.
  static var report: @MainActor (String) -> Void = { assertionFailure($0) }
}
