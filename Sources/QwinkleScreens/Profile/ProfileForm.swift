import QwinkleModel

/// Translates between the user's profile and the fields of its form.
@MainActor
struct ProfileForm {
  private enum Row: Hashable {
    case name, note
    case fieldName(Int), fieldValue(Int)
    case setting(OwnProfile.Setting)
    case visibility, sensitive, language
  }

  /// The reason that the fields can't be saved.
  struct Refusal: Error, Hashable {
    let sentence: String
  }

  private static let mostFields = 20

  private let limits: ServerInfo.ProfileLimits
  private let rows: [Row]

  init(limits: ServerInfo.ProfileLimits) {
    self.limits = limits
    let lines = (0..<min(limits.fields, Self.mostFields)).flatMap { [Row.fieldName($0), .fieldValue($0)] }
    rows =
      [.name, .note] + lines + OwnProfile.Setting.allCases.map(Row.setting) + [.visibility, .sensitive, .language]
  }

  var fields: [FormSheet.Field] { rows.map(field) }

  private func field(_ row: Row) -> FormSheet.Field {
    let onOff = [EntryWords.no, EntryWords.yes]
    return switch row {
    case .name: .init(label: ProfileWords.name, help: ProfileWords.isPublic, usualLimit: limits.name)
    case .note:
      .init(label: ProfileWords.note, help: ProfileWords.isPublic, isSingleLine: false, usualLimit: limits.note)
    case .fieldName(let index):
      .init(
        label: ProfileWords.field(index + 1), help: ProfileWords.aboutFieldName, usualLimit: limits.fieldName,
        placeholder: ProfileWords.fieldName)
    case .fieldValue(let index):
      .init(
        label: ProfileWords.fieldValue(index + 1), help: ProfileWords.aboutFieldValue, usualLimit: limits.fieldValue,
        isBeside: true, placeholder: ProfileWords.fieldValue)
    case .setting(let setting):
      .init(label: ProfileWords.label(setting), help: ProfileWords.help(setting), choices: onOff)
    case .visibility:
      .init(
        label: ProfileWords.visibility, help: ProfileWords.aboutVisibility,
        choices: Self.visibilities.map(ProfileWords.word))
    case .sensitive: .init(label: ProfileWords.sensitive, help: ProfileWords.aboutSensitive, choices: onOff)
    case .language: .init(label: ProfileWords.language, help: ProfileWords.aboutLanguage)
    }
  }

  private static let visibilities: [Visibility] = [.public, .unlisted, .private]

  /// Whether the server reports the value in row `index`, so that it can be changed.
  func isShown(_ index: Int, of profile: OwnProfile) -> Bool {
    switch rows[index] {
    case .name, .note: true
    case .fieldName, .fieldValue: profile.fields != nil
    case .setting(let setting): profile.settings[setting] != nil
    case .visibility: profile.usualVisibility != nil
    case .sensitive: profile.isUsuallySensitive != nil
    case .language: profile.usualLanguage != nil
    }
  }

  func texts(of profile: OwnProfile) -> [String] {
    func field(_ index: Int) -> OwnProfile.Field? {
      profile.fields.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    }
    func word(_ isOn: Bool?) -> String { isOn == true ? EntryWords.yes : EntryWords.no }
    return rows.map { row in
      switch row {
      case .name: profile.displayName
      case .note: profile.note
      case .fieldName(let index): field(index)?.name ?? ""
      case .fieldValue(let index): field(index)?.value ?? ""
      case .setting(let setting): word(profile.settings[setting])
      case .visibility: profile.usualVisibility.map(ProfileWords.word) ?? ""
      case .sensitive: word(profile.isUsuallySensitive)
      case .language: profile.usualLanguage ?? ""
      }
    }
  }

  /// Returns `old` with the texts of the form. Values that the form doesn't show remain unchanged.
  func profile(_ texts: [String], changing old: OwnProfile) throws(Refusal) -> OwnProfile {
    var profile = old
    let oldTexts = self.texts(of: old)
    var names: [Int: String] = [:]
    var lines: [OwnProfile.Field] = []
    var hasChangedLines = false
    for (index, (row, text)) in zip(rows, texts).enumerated() where isShown(index, of: old) {
      switch row {
      case .name: profile.displayName = text
      case .note: profile.note = text
      case .fieldName(let number): names[number] = text
      case .fieldValue(let number):
        let line = OwnProfile.Field(name: names[number] ?? "", value: text)
        let isChanged = line.name != oldTexts[index - 1] || text != oldTexts[index]
        if isChanged { hasChangedLines = true }
        guard !line.name.isBlank || !line.value.isBlank else { continue }
        // A server can have lines that this form would refuse.
        if isChanged, line.name.isBlank || line.value.isBlank {
          throw Refusal(sentence: ProfileWords.halfField(number + 1, lacksName: line.name.isBlank))
        }
        lines.append(line)
      case .setting(let setting): profile.settings[setting] = text == EntryWords.yes
      case .visibility:
        profile.usualVisibility = Self.visibilities.first { ProfileWords.word($0) == text } ?? old.usualVisibility
      case .sensitive: profile.isUsuallySensitive = text == EntryWords.yes
      case .language: profile.usualLanguage = try language(text)
      }
    }
    if hasChangedLines, let fields = old.fields {
      // A server can have more fields than it allows to add.
      profile.fields = lines + fields.dropFirst(min(limits.fields, Self.mostFields))
    }
    return profile
  }

  private func language(_ text: String) throws(Refusal) -> String {
    let code = text.filter { !$0.isWhitespace }
    guard code.isEmpty || LanguageCode.isCode(code) else { throw Refusal(sentence: ProfileWords.noLanguage(text)) }
    return code
  }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
