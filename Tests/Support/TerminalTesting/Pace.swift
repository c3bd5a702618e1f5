/// The pace of a typing user. Not for waiting until something has happened.
public enum Pace {
  /// Waits this long.
  public static func rest(milliseconds: Int) async {
    await ProcessList.pause(milliseconds: milliseconds)
  }
}
