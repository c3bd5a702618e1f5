extension Schema {
  /// Adds media: the pictures of qwinks and profiles. Their files are in a folder next to the database (see
  /// ``MediaFolder``).
  ///
  /// A row belongs to a qwink, a scheduled qwink or a profile. Otherwise the row is loose: newly uploaded, or left by a
  /// deleted qwink so that the user can post it again. If a row belongs to a qwink but its `position` is NULL, an edit
  /// has removed the picture from the qwink, and only the edit history still shows it.
  ///
  /// `media_unneeded` lists the files to delete: files whose row was deleted, and new files that still have no row at
  /// the time in `due`.
  static let media = """
    CREATE TABLE media (
      id INTEGER PRIMARY KEY,
      account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
      status_id INTEGER REFERENCES statuses ON DELETE CASCADE,
      scheduled_id INTEGER REFERENCES scheduled ON DELETE SET NULL,
      position INTEGER,
      profile TEXT,
      loose_since INTEGER,
      is_withdrawn INTEGER NOT NULL DEFAULT 0,
      name TEXT NOT NULL UNIQUE,
      type TEXT NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      hash TEXT NOT NULL,
      description TEXT NOT NULL DEFAULT ''
    );
    CREATE INDEX media_account ON media (account_id, id);
    CREATE INDEX media_status ON media (status_id, position) WHERE status_id IS NOT NULL;
    CREATE INDEX media_scheduled ON media (scheduled_id) WHERE scheduled_id IS NOT NULL;
    CREATE INDEX media_loose ON media (loose_since) WHERE loose_since IS NOT NULL;

    CREATE TABLE media_unneeded (
      name TEXT PRIMARY KEY,
      due INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX media_unneeded_due ON media_unneeded (due);
    CREATE TRIGGER media_deleted AFTER DELETE ON media BEGIN
      INSERT OR REPLACE INTO media_unneeded (name, due) VALUES (old.name, 0);
    END;

    ALTER TABLE statuses ADD COLUMN media_count INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX statuses_media ON statuses (visibility, id) WHERE media_count > 0;
    CREATE INDEX statuses_media_account ON statuses (account_id, id) WHERE media_count > 0;
    ALTER TABLE status_versions ADD COLUMN media TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE accounts ADD COLUMN avatar TEXT;
    ALTER TABLE accounts ADD COLUMN header TEXT;
    """
}
