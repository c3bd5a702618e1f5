/// Language codes, such as `de` or `pt-BR`.
public enum LanguageCode {
  private static let mostBytes = 35

  /// Whether `text` has the form of a language code. Doesn't check that the language exists.
  public static func isCode(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.count), text.utf8.count <= mostBytes else { return false }
    return parts.allSatisfy { part in
      (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
  }

  /// Returns the English name of a frequent language, or the code itself. The code's region is ignored.
  public static func name(of code: String) -> String {
    let language = code.prefix { $0 != "-" && $0 != "_" }.lowercased()
    return names.first { $0.key == language }?.value ?? code
  }

  /// Languages that posts on the fediverse are often written in. The names in Foundation would load ICU's data.
  private static let names: KeyValuePairs<String, String> = [
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese",
    "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nb": "Norwegian", "nl": "Dutch", "nn": "Norwegian",
    "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian",
    "vi": "Vietnamese", "zh": "Chinese",
  ]
}
