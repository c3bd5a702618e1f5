/// `outgoing.sqlite` exactly as earlier versions of the program wrote it.
public enum OldOutgoingFile {
  /// SQL statements that create a version 1 file with drafts, messages and an arrived qwink.
  public static let version1 = """
    CREATE TABLE entry (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      purpose TEXT NOT NULL,
      key TEXT NOT NULL,
      doubtful INTEGER NOT NULL,
      content BLOB NOT NULL,
      holder TEXT,
      revision INTEGER NOT NULL,
      changed REAL NOT NULL
    );
    CREATE INDEX entry_purpose ON entry (kind, purpose);
    CREATE TABLE arrived (qwink TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;
    PRAGMA user_version = 1;
    INSERT INTO arrived VALUES ('99', 1767225600);
    INSERT INTO entry (id, kind, purpose, key, doubtful, content, holder, revision, changed) VALUES
      ('draft', 'entry', 'reply/7', 'k1', 0, CAST('{"attempts":[],"entry":{"attachmentIDs":[],"contentWarning":"cw",
        "idempotencyKey":"k1","inReplyTo":"7","isSensitive":false,"text":"half a thou","visibility":"private"},
        "id":"draft","isAudienceOpen":false,"purpose":"reply/7"}' AS BLOB), NULL, 3, 1767225600),
      ('doubt', 'entry', 'new', 'k2', 1, CAST('{"attempts":[{"at":788918400,"entry":{"attachmentIDs":[],
        "contentWarning":"","idempotencyKey":"k2","isSensitive":false,"text":"sent?","visibility":"public"},
        "reason":"No answer."}],"entry":{"attachmentIDs":[],"contentWarning":"","idempotencyKey":"k2",
        "isSensitive":false,"text":"sent?","visibility":"public"},"id":"doubt","isAudienceOpen":false,"purpose":"new"}'
        AS BLOB), 'somebody dead', 1, 1767225600),
      ('m1', 'message', 'conversation/a', 'm1', 0, CAST('{"conversation":"a","entry":{"attachmentIDs":[],
        "contentWarning":"","idempotencyKey":"m1","inReplyTo":"5","isSensitive":false,"text":"@alice no",
        "visibility":"direct"},"failure":{"isDoubtful":false,"sentence":"Not sent."},"text":"no",
        "writtenAt":788918400}' AS BLOB), NULL, 1, 1767225600),
      ('m2', 'message', 'conversation/a', 'm2', 1, CAST('{"conversation":"a","entry":{"attachmentIDs":[],
        "contentWarning":"","idempotencyKey":"m2","inReplyTo":"5","isSensitive":false,"text":"@alice perhaps",
        "visibility":"direct"},"text":"perhaps","writtenAt":788918400}' AS BLOB), NULL, 1, 1767225600);
    """
}
