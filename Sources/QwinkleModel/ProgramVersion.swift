/// The version of Qwinkle, by semantic versioning.
public enum ProgramVersion {
  public static let current = "0.1.0"
}
