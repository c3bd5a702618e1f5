/// What the manual says besides the words of commands, keys and tapes.
enum ManualWords {
  static let commands = """
    ID is a qwink's id, which ends its first line in every list, or its address. USER is @name, @name@host or the address \
    of a profile. A date is 2026-11-22, a time 2026-11-22T09:30, an age 2h or 3d.

    Text that a command takes may come from standard input. A command that fails sends nothing later: its text is a \
    draft, and the message says where. With --queue it is handed to the outbox, which the next Qwinkle on the account \
    sends.

    With --json a command prints one line, and stream prints one line an item. Each entity has the members that the \
    server sent, in its order, including those that Qwinkle doesn't know. Control characters and other unsafe \
    characters in strings are \\uXXXX escapes. Withheld quotes are null. In whoami and profile, Pleroma's chat_token, \
    a secret of your account, is null. Lists, search and messages join the items of several answers. thread adds the \
    qwink as status to the server's context; of a boost, the boosted qwink is printed. Qwinkle writes the entities \
    itself in four cases: qwinks of other servers (thread --rest), which have addresses as ids; search results from \
    this machine; direct messages on a server that lists no conversations; drafts, the outbox and accounts.
    """

  static let prompt = "Typed after a colon. Tab completes names, commands and settings."

  static let environment = [
    ManualPage.Entry(
      term: "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME, XDG_STATE_HOME", meaning: "Move the folders named below."),
    ManualPage.Entry(
      term: "TERM, NO_COLOR, LC_ALL, LC_CTYPE, LANG",
      meaning: "The terminal's kind; no colours if set; a locale without UTF-8 gets ASCII."),
    ManualPage.Entry(term: "VISUAL, EDITOR", meaning: "The editor that a key opens while you write."),
    ManualPage.Entry(term: "BROWSER", meaning: "The browser for links and for signing in."),
    ManualPage.Entry(
      term: "QWINKLE_TOKEN_COMMAND", meaning: "With --server: a shell command that prints the token."),
    ManualPage.Entry(
      term: "http_proxy, https_proxy, all_proxy, no_proxy",
      meaning: "The proxy for requests, by CONNECT or SOCKS 5, and the hosts that need none."),
    ManualPage.Entry(term: "SSL_CERT_FILE", meaning: "Certificate authorities in place of the system's."),
  ]

  static let files = [
    ManualPage.Entry(term: "~/.config/qwinkle/config.toml", meaning: "The options: see qwinkle-config(5)."),
    ManualPage.Entry(
      term: "~/.local/share/qwinkle",
      meaning:
        "The timeline of this machine, the accounts, their tokens (in secrets), drafts and what waits to be sent."),
    ManualPage.Entry(term: "~/.cache/qwinkle", meaning: "Timelines that were read. Safe to delete."),
    ManualPage.Entry(
      term: "~/.local/state/qwinkle",
      meaning: "The log, without texts or tokens; the screen as it was left; a report after a crash."),
  ]

  static let examples = [
    """
    qwinkle login https://tilde.example
    echo 'Frost on the allotment.' | qwinkle post --visibility unlisted
    qwinkle timeline home --since 2h --json | jq -r '.[].url'
    qwinkle stream '#garden'
    """
  ]

  static let keys = """
    The keys of each part of the screen. ^D is Ctrl and d, M-3 is Alt and 3, S-Tab is Shift and Tab; gg is g twice. Alt and \
    digits before a move repeat it. The keys of a list work on every list.
    """

  static let ownKeys = """
    In ~/.config/qwinkle/keys.txt a line is a context, an action and keys, with two spaces or more between them: \
    global  compose  ^N. It replaces the action's keys in that context; + before the keys adds to them, - takes them \
    away. A fourth column, word: sentence, is what the help says. In place of an action, press KEYS is a macro and \
    :COMMAND a command of the screen. Keys are written as below.

    Qwinkle says at the start, with line and column, which keys are given twice, hidden or can't be typed; qwinkle config \
    --check says so, too. The option keymap chooses a ready map: vi, emacs, arrows, toot or tut. The contexts and their \
    actions are those below, where each action stands in brackets.
    """

  static let ownKeysExample = """
    global   compose         ^N c
    qwink    boost           + M-b
    list     list.half-down  -
    qwink    press gg Enter  ^Xt      top: open the first
    global   :tag garden     ^Xg      garden: what grows
    """

  static let tapes = """
    A tape is a text file of keys to press and of what the screen must show then. qwinkle replay plays it, in virtual \
    time and against the embedded service, which starts empty: no second passes, and each run is the same. The language \
    is that of VHS with some commands of its own. # begins a comment.

    A text stands in double or single quotes or backticks, a pattern between slashes: a regular expression. A time is \
    500ms, 2s or 5m. Snapshots are compared with the files in the folder of the tape's name; qwinkle replay --update records them. \
    They name styles by the roles of the theme, and list the colours of each role.
    """

  static let config = """
    Qwinkle reads its options at the start, after :reload, and on SIGUSR1. qwinkle config prints them all with their \
    defaults; qwinkle config --diff what differs; qwinkle config --check what is wrong, with line and column. A wrong \
    line costs that line, the rest is used.

    :set changes an option until Qwinkle ends, :set! writes it to the file and leaves its other lines and comments as they \
    are. Without a file, what :set and keys change is kept in the folder of the state until there is one. Options of the \
    command line win. An account's own options stand in a table of its name.
    """

  static let views = """
    In [views] a name and a rule make a view: the qwinks kept on this machine for which the rule holds, also without a \
    network. trains = "has:media lang:sv 'train'" makes :view trains. The section Views, key 7, shows one after another. \
    :view takes a rule as well, such as :view boost and not from:@anna.

    Terms beside each other must all hold; and, or and not join them, not before and before or, and parentheses change \
    that. A name without a server is anybody's who has it. In TOML a rule with double quotes stands in single ones, or \
    the other way round. What is wrong in a rule is named with line and column, and the rest of the file is used. These \
    are the terms:
    """

  static let viewText = """
    Each of the words starts a word of its text, warning, poll, hashtags or descriptions, whatever its case and accents.
    """

  static let ownCommands = """
    In [commands] a name and a shell command make a command of the screen: words = "wc -w" makes :words, which gets the \
    text of the selected qwink. In braces input is text, json, url or picture, the addresses of \
    its media, one a line; output is show, drop or entry, a new qwink with what was printed. :pipe COMMAND does the same without a name; a line of keys.txt with :words as its action gives it a \
    key.

    In [hooks] message and mention start a command when one comes, with the qwink as JSON on its standard input. \
    What it prints is ignored. It may take 30 seconds; a command of [commands] may take two minutes. Four run at once.

    Text and JSON reach a command by standard input alone. QWINKLE_ID, QWINKLE_AUTHOR and QWINKLE_URL are set if they \
    hold no character that means something to a shell.
    """

  static let theme = """
    ~/.config/qwinkle/theme.txt, with theme = "own", is a theme: on each line a role, its colour, perhaps on and a \
    background, and any of bold, dim, italic, underline and reverse. A colour is #rrggbb, black, red, green, yellow, blue, \
    magenta, cyan, white, one of these with bright- before it, or default. The background of text holds for all roles. \
    avatars takes up to twelve colours, for people. Where a terminal has fewer colours, the nearest are taken that can be \
    read. qwinkle config --theme night prints a theme to begin with, --contrast the contrast of all.

    theme = "https://example.org/dawn.txt" fetches such a file once, at most 256 KB, and keeps it; keymap takes an address, \
    too. No redirect leads it to this machine or a network nearby.
    """

  static let configExample = """
    density = "compact"
    quiet = "22-7"
    editor = "nvim +startinsert"

    [views]
    trains = "has:media lang:sv 'train'"
    others = "boost and not from:@anna"

    [accounts."work@tilde.example"]
    attention = "notify"
    audience = "unlisted"
    """

  static let tape = """
    # A reply is sent after the six seconds in which u takes it back.
    Resize 80x24
    Serve bob posts "Frost on the allotment."
    Type "R"
    Wait+Screen /Frost/
    Type "r"
    Type "Cover the basil!"
    Ctrl+D
    Advance 6s
    Type "R"
    Expect /Cover the basil/
    """

  static let server = """
    Serves the timeline of this machine, or one in --data, to every client for Mastodon, with a web page for each \
    post and user. It speaks plain HTTP: put a proxy with TLS in front of it beyond this machine, name the proxy's \
    address with --trusted-proxy, and the address that clients see with --origin.

    A disk without room refuses writes and goes on reading; a damaged file is left where it is and nothing more is \
    written. SIGTERM lets requests under way end.
    """

  static let serverFiles = [
    ManualPage.Entry(
      term: "DIR/service.sqlite",
      meaning: "The database, for its owner alone. Copy it with qwinkle serve backup, not with cp."),
    ManualPage.Entry(term: "DIR/media", meaning: "The uploaded pictures."),
  ]
}
