/// Pauses of a typing user. Don't use them to wait for an event.
public enum Pace {
  public static func rest(milliseconds: Int) async {
    await ProcessList.pause(milliseconds: milliseconds)
  }
}
