import Foundation
import PaneKit
import QwinkleScreens
import QwinkleWire
import Timekeeping

/// Does work in the background that is slow the first time: parsing the keymap, and finding the Swift conformances
/// of each type that a decoder or a layout uses.
enum WarmUp {
  /// Starts the work on a new thread.
  static func begin() {
    Thread.detachNewThread {
      _ = Keymap.standard
      guard let qwink = try? WireDecoder.qwink(from: Array(qwink.utf8)) else { return }
      FirstLayout.rehearse(with: qwink, in: .local)
    }
  }

  /// A typical qwink as stored in a timeline's cache, with the most common fields.
  private static let qwink = """
    {"id":"1","created_at":"2026-01-01T00:00:00.000Z","edited_at":null,"in_reply_to_id":"1","in_reply_to_account_id":"1",\
    "sensitive":false,"spoiler_text":"","visibility":"public","language":"en","uri":"http://local/1","url":"http://local/1",\
    "replies_count":0,"reblogs_count":0,"favourites_count":0,"favourited":false,"reblogged":false,"bookmarked":false,\
    "content":"<p>Hello <a href=\\"http://local/tags/a\\" class=\\"mention hashtag\\">#<span>a</span></a></p>","reblog":null,\
    "account":{"id":"1","username":"a","acct":"a","display_name":"A","locked":false,"bot":false,"note":"<p>A</p>",\
    "created_at":"2026-01-01T00:00:00.000Z","url":"http://local/@a","avatar":"","followers_count":1,"following_count":1,\
    "statuses_count":1,"emojis":[],"fields":[]},"media_attachments":[],\
    "mentions":[{"id":"1","username":"a","acct":"a","url":"http://local/@a"}],\
    "tags":[{"name":"a","url":"http://local/tags/a"}],"emojis":[],"card":null,"poll":null}
    """
}
