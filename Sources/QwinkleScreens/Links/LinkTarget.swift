import QwinkleModel
import Terminal

/// The target of a link, mention or tag in a text. The name of the target in a ``TextLink``.
enum LinkTarget: Hashable {
  case link(url: String)
  case mention(url: String)
  case tag(name: String)

  /// Nil for plain text.
  init?(_ kind: RichText.Kind) {
    switch kind {
    case .link(let url): self = .link(url: url)
    case .mention(let url): self = .mention(url: url)
    case .tag(let name): self = .tag(name: name)
    case .text, .code: return nil
    }
  }

  init(_ link: TextLink) {
    switch link.target.first {
    case "#": self = .tag(name: String(link.target.dropFirst()))
    case "@": self = .mention(url: String(link.target.dropFirst()))
    default: self = .link(url: link.target)
    }
  }

  /// The link for a click. The terminal gets no address.
  var textLink: TextLink {
    switch self {
    case .link(let url): TextLink(target: url)
    case .mention(let url): TextLink(target: "@" + url)
    case .tag(let name): TextLink(target: "#" + name)
    }
  }
}

extension TextLink {
  /// A link to `url` with the visible text `text`. The terminal gets the address only if `o` also opens it unseen.
  init(to url: String, shownAs text: String, note: LinkNote? = nil) {
    let entry = QwinkLinks.Entry(url: url, shownAs: text)
    let mayOpen = entry.mayOpenUnseen && note?.isWarning != true
    if mayOpen, case .link(let address) = entry.target, !address.namesUser {
      self.init(target: url, address: address.target)
    } else {
      self.init(target: url)
    }
  }
}
