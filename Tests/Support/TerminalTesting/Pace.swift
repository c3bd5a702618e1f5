/// The pace of somebody who types. It is not for waiting until something has happened.
public enum Pace {
  /// Lets so much time pass.
  public static func rest(milliseconds: Int) async {
    await ProcessList.pause(milliseconds: milliseconds)
  }
}
