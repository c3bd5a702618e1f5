/// A machine translation of a qwink by its server.
public struct Translation: Hashable, Sendable {
  public var text: RichText
  /// Empty if the server didn't translate the content warning.
  public var contentWarning: String
  /// Titles of the poll's options, in their order. Empty if the qwink has no poll, or if the server doesn't translate
  /// polls.
  public var pollOptions: [String]
  /// Descriptions of attachments. Servers before Mastodon 4.2 don't translate descriptions.
  public var descriptions: [Attachment.ID: String]
  /// The code of the original's language, as the provider detected it. Nil if the server doesn't report it.
  public var sourceLanguage: String?
  /// The service that translated the text, such as `DeepL.com`. Empty if the server doesn't report it.
  public var provider: String

  public init(
    text: RichText, contentWarning: String = "", pollOptions: [String] = [],
    descriptions: [Attachment.ID: String] = [:], sourceLanguage: String? = nil, provider: String = ""
  ) {
    self.text = text
    self.contentWarning = contentWarning
    self.pollOptions = pollOptions
    self.descriptions = descriptions
    self.sourceLanguage = sourceLanguage
    self.provider = provider
  }

  /// The source of the text: “Translated from German by DeepL.com.”
  public var credit: String {
    "Translated" + (sourceLanguage.map { " from \(LanguageCode.name(of: $0))" } ?? "")
      + (provider.isEmpty ? "" : " by \(provider)") + "."
  }
}

extension Qwink {
  /// Returns the qwink with the translated texts. Texts without a translation are unchanged. A
  /// translation can't add a content warning to a qwink that has none, nor remove one.
  public func translated(by translation: Translation) -> Qwink {
    var qwink = self
    qwink.text = translation.text
    if !contentWarning.isEmpty, !translation.contentWarning.isEmpty {
      qwink.contentWarning = translation.contentWarning
    }
    if let poll, poll.options.count == translation.pollOptions.count {
      for (index, title) in translation.pollOptions.enumerated() where !title.isEmpty {
        qwink.poll?.options[index].title = title
      }
    }
    for (index, attachment) in attachments.enumerated() {
      if let description = translation.descriptions[attachment.id] { qwink.attachments[index].altText = description }
    }
    return qwink
  }
}
