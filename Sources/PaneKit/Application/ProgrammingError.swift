/// Reports bugs in the program, as opposed to invalid input.
@MainActor
enum ProgrammingError {
  /// Reports a bug. The default stops a debug build, so that tests fail, but lets a release build continue. Tests can
  /// replace this closure.
  static var report: @MainActor (String) -> Void = { assertionFailure($0) }
}
