import PaneKit
import QwinkleScreens

/// The manual's handwritten text. The rest is generated from commands, keys and tapes.
enum ManualWords {
  static let commands = """
    ID is a post's id, shown at the end of its first line in every list, or its address. USER is @name, @name@host or \
    the address of a profile. A date is 2026-11-22, a time 2026-11-22T09:30, an age 2h or 3d.

    Commands can read their text from standard input. A command that failed sends nothing later: its text is \
    saved as a draft, and the error message names the draft. With --queue the text goes to the outbox, and the next Qwinkle that runs on the \
    account sends it.

    With --json a command prints one line, and stream prints one line per item. Each entity has the members that the \
    server sent, in the same order, including members that Qwinkle doesn't know. Control characters and other unsafe \
    characters in strings are \\uXXXX escapes. Withheld quotes are null. In whoami and profile, Pleroma's chat_token, \
    a secret of your account, is null. Lists, search and messages join the items of several responses. thread adds the \
    post itself to the server's context, as status. For a boost, it prints the boosted post. Qwinkle creates the \
    entities itself in four cases: posts of other servers (thread --rest), which have addresses as ids; search \
    results from this machine; direct messages on a server that lists no conversations; drafts, the outbox and \
    accounts.

    On a host with a shared timeline, all Unix users have an account there, without a password. Qwinkle connects to the \
    socket in /run/qwinkle, to the one that the option socket names, or to --socket PATH. It uses the socket only if \
    root or one service user controls it: others can't write to its folder, and the server at the other end belongs to \
    root or to the socket's owner. The account to use is the one of an option, else your default account, else the \
    shared timeline, else your own timeline on this machine. --as shared and --as local choose. qwinkle doctor shows \
    the socket and its owner.
    """

  static let prompt = "Typed after a colon. \(Action.promptComplete.key) completes names, commands and settings."

  static let environment = [
    ManualPage.Entry(
      term: "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME, XDG_STATE_HOME",
      meaning: "Base folders for the files below."),
    ManualPage.Entry(
      term: "TERM, COLORTERM, NO_COLOR, LC_ALL, LC_CTYPE, LANG",
      meaning: """
        The terminal type; 24-bit colours if truecolor or 24bit; no colours if set; the locale: ASCII if it isn't UTF-8.
        """),
    ManualPage.Entry(term: "VISUAL, EDITOR", meaning: "The editor for entries and messages."),
    ManualPage.Entry(term: "BROWSER", meaning: "The browser for links and for signing in."),
    ManualPage.Entry(
      term: "QWINKLE_TOKEN_COMMAND", meaning: "With --server: a shell command that prints the token."),
    ManualPage.Entry(
      term: "QWINKLE_SOCKET", meaning: "The standard path of the shared timeline's socket, if it isn't in /run/qwinkle."
    ),
    ManualPage.Entry(
      term: "http_proxy, https_proxy, all_proxy, no_proxy",
      meaning: "The proxy for requests (CONNECT or SOCKS 5), and the hosts to reach without it."),
    ManualPage.Entry(term: "SSL_CERT_FILE", meaning: "Certificate authorities to use instead of the system's."),
  ]

  static let files = [
    ManualPage.Entry(term: "~/.config/qwinkle/config.toml", meaning: "The options: see qwinkle-config(5)."),
    ManualPage.Entry(
      term: "~/.local/share/qwinkle",
      meaning:
        "The timeline of this machine, the accounts, their tokens (in secrets), drafts and the outbox."),
    ManualPage.Entry(term: "~/.cache/qwinkle", meaning: "Cached timelines. Safe to delete."),
    ManualPage.Entry(
      term: "~/.local/state/qwinkle",
      meaning: "The log, without texts or tokens; the last screen; crash reports."),
  ]

  static let keys = """
    The keys of each part of the screen. ^D is Ctrl and d, M-3 is Alt and 3, S-Tab is Shift and Tab; gg is g twice. \
    Alt and digits before a move repeat it. The keys of a list work in every list.
    """

  static let ownKeys = """
    Each line of ~/.config/qwinkle/keys.txt has a context, an action and keys, separated by two or more spaces: \
    global  compose  ^N. It replaces the action's keys in that context; + before the keys adds to them, - instead of \
    keys removes them. A fourth column, word: sentence, sets the text for the help. Instead of an action, press KEYS \
    is a macro and :COMMAND a screen command. Keys are written as below.

    At the start Qwinkle reports keys that are bound twice, hidden or impossible to type, with line and column; \
    qwinkle config --check reports them, too. The option keymap chooses a set of keys: vi, emacs, arrows, toot or tut. \
    All contexts and actions are listed below, the actions in brackets.
    """

  static let ownKeysExample = """
    global   compose         ^N c
    qwink    boost           + M-b
    list     list.half-down  -
    qwink    press gg Enter  ^Xt      top: open the first
    global   :tag garden     ^Xg      garden: what grows
    """

  static let tapes = """
    A tape is a text file with keys to press and checks of the screen. qwinkle replay plays it in virtual time, \
    against the built-in service, which starts empty. A run takes almost no real time and always gives the same \
    result. The language is VHS's, with some more commands. # begins a comment.

    Write a text in double quotes, single quotes or backticks, and a pattern, which is a regular expression, between \
    slashes. A time is 500ms, 2s or 5m. Snapshots are compared with the files in the folder named after the tape; \
    qwinkle replay --update records them. They name styles by the roles of the theme, and list the colours of each \
    role.
    """

  static let config = """
    Qwinkle reads its options at the start, after :reload, and on SIGUSR1. qwinkle config prints all options with \
    their defaults, qwinkle config --diff the changed ones, qwinkle config --check the errors, with line and column. A \
    line with an error is ignored, and the rest of the file is used.

    :set changes an option until you quit. :set! writes it to the file and changes nothing else there. Until the file \
    exists, changes made with :set and keys are saved in the state folder. Options of the command line win. A table \
    named after an account has options for that account.
    """

  static let hideRules = """
    A line in [hide-rules] has a name and a rule, with the terms of views. Posts that match one of the rules are left \
    out of timelines, lists, hashtags and views, and from qwinkle timeline; --show-hidden prints them. Your own posts \
    and boosts, profiles, bookmarks, favourites, threads and messages are not affected. Hidden posts don't count as \
    unread. The title counts them, and gh shows them. For example, results = "'football' and not from:@anna". \
    :hide takes a rule, too, for one timeline until you leave it.
    """

  static let views = """
    A line in [views] has a name and a rule. The view shows the cached posts that match the rule, also without a \
    network. For example, trains = "has:media lang:sv 'train'" makes :view trains. The section Views shows one \
    view after another. :view takes a rule, too, such as :view boost and not from:@anna.

    Terms next to each other must all match. Combine terms with and, or and not, and group them with parentheses; not \
    binds first, then and, then or. A name without a server matches users with that name on any server. In TOML, put a \
    rule that contains double quotes in single quotes, or the other way round. Errors in a rule are reported with line \
    and column, and the rest of the file is used. The terms are:
    """

  static let layouts = """
    A line in [layouts] has a name and an arrangement of panes. Panes with | between them are side by side, panes with \
    / and blanks between them are one above the other, and / binds first. A number after * is a part's weight, \
    otherwise 1. For example, garden = "home*60 | (messages / #garden)*40" makes :layout garden. :layout save NAME \
    writes the current panes, :layout lists all. auto, messages and single are built in: the current section with messages if they fit, \
    always, or never. A line in [layouts.width] chooses a layout by the window's width: 160 = "garden" shows it from \
    160 columns on. Pane names with spaces are in quotes. The names are:
    """

  static let viewText = """
    Its text, warning, poll, hashtags or descriptions contain words that start with these. Case and accents are ignored.
    """

  static let ownCommands = """
    A line in [commands] has a name and a shell command: words = "wc -w" makes :words, which gets the text of the \
    selected post. In braces, input is text, json, url or picture (the addresses of its media, one per line), and \
    output is show, drop or entry (a new post with the output). :pipe COMMAND does the same without a name. To give \
    :words a key, use it as the action of a line in keys.txt.

    In [hooks], message and mention are commands that run when one arrives, with the post as JSON on standard input. \
    Their output is ignored. A hook may take 30 seconds, a command two minutes. At most four run at once.

    Commands get text and JSON only on standard input. QWINKLE_ID, QWINKLE_AUTHOR and QWINKLE_URL are set unless they \
    contain a character that is special in a shell.
    """

  static let theme = """
    With theme = "own", ~/.config/qwinkle/theme.txt is the theme. Each line has a role, its colour, optionally on and \
    a background, and any of bold, dim, italic, underline and reverse. A colour is #rrggbb, black, red, green, yellow, \
    blue, magenta, cyan, white, one of these with bright- before it, or default. The background of text applies to all \
    roles. avatars accepts up to twelve colours, for users. A terminal with fewer colours than 16 million uses the \
    nearest readable ones. If selected-line has the colour of text, only its background marks the selection. qwinkle config --theme night prints a theme to start from, --contrast the contrast of all themes.

    theme = "https://example.org/dawn.txt" fetches a theme file once, at most 256 KB, and caches it; keymap accepts an \
    address, too. Redirects to private addresses are refused.
    """

  static let configExample = """
    density = "compact"
    quiet = "22-7"
    editor = "nvim +startinsert"

    [views]
    trains = "has:media lang:sv 'train'"
    others = "boost and not from:@anna"

    [hide-rules]
    results = "'football' and not from:@anna"

    [layouts]
    garden = "home*60 | (messages / #garden)*40"
    [layouts.width]
    160 = "garden"

    [accounts."work@tilde.example"]
    attention = "notify"
    audience = "unlisted"
    """

  static let tape = """
    # A reply is sent after six seconds, during which u undoes it.
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
    Serves the timeline of this machine, or the one in --data, to any Mastodon client, with a web page for each post \
    and user. It speaks plain HTTP. To serve other machines, put a TLS proxy in front of it, pass the proxy's address \
    with --trusted-proxy, and pass the address that clients use with --origin.

    A full disk makes it read-only. If the database is damaged, the server stops writing and leaves the file in place. \
    After SIGTERM, requests in progress are finished first.
    """

  static let serverFiles = [
    ManualPage.Entry(
      term: "DIR/service.sqlite",
      meaning: "The database, readable only by its owner. Copy it with qwinkle serve backup, not with cp."),
    ManualPage.Entry(term: "DIR/media", meaning: "The uploaded pictures."),
  ]
}
