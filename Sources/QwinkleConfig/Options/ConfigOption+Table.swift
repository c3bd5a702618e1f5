extension ConfigOption {
  /// All options, indexed by ``ConfigKey``.
  public static let all: [ConfigOption] = [
    ConfigOption(
      .density, "density", .screen, .choice(["comfortable", "compact", "index"]), .text("comfortable"),
      perAccount: true,
      "Row height in lists. compact: at most two rows a post, without blank rows; index: one row a post."),
    ConfigOption(
      .times, "times", .screen, .choice(["relative", "clock", "iso"]), .text("relative"), perAccount: true,
      "Time format in lists. relative: the age, such as 2h; clock: Fri 09:04; iso: 2026-11-12 09:04."),
    ConfigOption(
      .new, "new", .screen, .choice(["flows", "waits"]), .text("flows"), perAccount: true,
      "Whether new posts flow in while you are at the top of a timeline, or are added above the visible rows."),
    ConfigOption(
      .order, "order", .screen, .choice(["newest", "oldest"]), .text("newest"), perAccount: true,
      """
      The order of timelines with a read position, such as home. oldest: opens at the first unread row; newer rows are \
      below it.
      """
    ),
    ConfigOption(
      .hide, "hide", .screen, .words(["boosts", "replies", "read"]), .list([]), perAccount: true,
      """
      Hidden from timelines, except your own boosts and replies. read: rows that you read before this visit. :hide and \
      :show change it for one timeline; gh shows hidden rows.
      """
    ),
    ConfigOption(
      .start, "start", .screen,
      .choice(["last", "public", "home", "messages", "notifications", "bookmarks", "views"]), .text("last"),
      perAccount: true, "The section shown at the start. last: the one you left. views: your own views, from [views]."),
    ConfigOption(
      .messagesPane, "messages-pane", .screen, .choice(["auto", "show", "hide"]), .text("auto"), perAccount: true,
      """
      Whether to show messages with the section, from 100 columns or 80x30. auto: as you last left them; show and hide: \
      as :layout messages and :layout single.
      """
    ),
    ConfigOption(
      .mouse, "mouse", .terminal, .flag, .flag(true),
      "Use the mouse to click, scroll and drag. If false, dragging selects text."),
    ConfigOption(
      .theme, "theme", .terminal,
      .choiceOrAddress(["terminal", "night", "forest", "ember", "paper", "day", "sand", "contrast", "mono", "own"]),
      .text("terminal"), perAccount: true,
      """
      The colours. terminal: on the terminal's own background, for dark or light. paper, day and sand are \
      light. own: theme.txt in the same folder, see qwinkle-config(5). Or the https address of a theme file, which is \
      cached.
      """
    ),
    ConfigOption(
      .colours, "colours", .terminal, .choice(["auto", "none", "16", "256", "24bit"]), .text("auto"), perAccount: true,
      """
      Number of colours. auto: as many as the terminal announces; 16 and 256: at most these; 24bit: 16 million, even if \
      the terminal doesn't announce them. $NO_COLOR is respected.
      """
    ),
    ConfigOption(
      .ambiguousWidth, "ambiguous-width", .terminal, .choice(["auto", "narrow", "wide"]), .text("auto"),
      "Width of characters that terminals disagree on. auto: ask the terminal."),
    ConfigOption(
      .keymap, "keymap", .terminal, .choiceOrAddress(["standard", "vi", "emacs", "arrows", "toot", "tut"]),
      .text("standard"),
      """
      A set of keys that replaces some standard keys. keys.txt in the same folder changes more, see qwinkle-keys(5). \
      Or the https address of a keys file, without macros and commands.
      """
    ),
    ConfigOption(
      .attention, "attention", .notifications, .choice(["off", "bell", "notify"]), .text("off"), perAccount: true,
      "Alerts for direct messages and mentions: off, the terminal bell, or a desktop notification."),
    ConfigOption(
      .quiet, "quiet", .notifications, .hours, .text("off"), perAccount: true,
      "Hours without alerts."),
    ConfigOption(
      .pictures, "pictures", .pictures, .choice(["kitty", "cells", "off"]), .text("kitty"), perAccount: true,
      """
      How pictures are shown. kitty: in pixels if the terminal can draw them: everywhere in kitty and ghostty, in the \
      viewer with sixels or iTerm2's files; cells: in cells; off: descriptions only.
      """
    ),
    ConfigOption(
      .picturesFrom, "pictures-from", .pictures, .choice(["server", "all"]), .text("server"), perAccount: true,
      "Servers whose pictures load automatically: yours, or all. Other pictures load when you press a key."),
    ConfigOption(
      .metered, "metered", .pictures, .flag, .flag(false), perAccount: true, "Load pictures only on a key press."),
    ConfigOption(
      .preserve, "preserve", .pictures, .priorities, .list([]), perAccount: true,
      """
      Priorities of cached files when space runs out: 0 is removed first, 10 last. pictures: at full size; posts: in \
      lists; timelines: except home and bookmarks. :resources shows the files, where + and - set a single priority.
      """
    ),
    ConfigOption(
      .enter, "enter", .writing, .choice(["newline", "sends"]), .text("sends"), perAccount: true,
      "Action of Enter in a chat. Other keys always begin a new line or always send."),
    ConfigOption(
      .audience, "audience", .writing, .choice(["server", "public", "unlisted", "followers", "direct"]),
      .text("server"), perAccount: true,
      "Visibility of a new post. server: your account's default. A reply is never more visible than its parent."),
    ConfigOption(
      .language, "language", .writing, .language, .text(""), perAccount: true,
      "The language of a new post. Empty: the server decides."),
    ConfigOption(
      .hold, "hold", .writing, .seconds(0...60), .number(6), perAccount: true,
      "Seconds during which a post, message, deletion, block or vote can be undone. 0: no delay."),
    ConfigOption(
      .altReminder, "alt-reminder", .writing, .flag, .flag(true), perAccount: true,
      "Ask once before posting files without a description. Direct messages are sent without asking."),
    ConfigOption(
      .confirmQuit, "confirm-quit", .questions, .flag, .flag(true),
      "Ask before quitting. Qwinkle always asks if something is unsent."),
    ConfigOption(
      .confirmDelete, "confirm-delete", .questions, .flag, .flag(true), perAccount: true,
      "Ask before deleting a post, unless hold lets you undo it."),
    ConfigOption(
      .editor, "editor", .programs, .command, .text(""), perAccount: true,
      "The editor for entries and messages. Empty: $VISUAL, $EDITOR, or the first that is installed."),
    ConfigOption(
      .browser, "browser", .programs, .command, .text(""), perAccount: true,
      "The browser for links; %s stands for the address. Empty: $BROWSER, or the desktop's."),
    ConfigOption(
      .viewer, "viewer", .programs, .command, .text(""), perAccount: true,
      "The program for pictures, video and sound, started with the address like the browser. Empty: the browser."),
    ConfigOption(
      .player, "player", .programs, .command, .text(""), perAccount: true,
      """
      The program that plays video and sound, such as mpv; %s stands for the address. It has the terminal until it \
      ends. With & at the end, it runs in the background. Empty: the viewer.
      """
    ),
    ConfigOption(
      .pager, "pager", .programs, .command, .text(""), perAccount: true,
      "The pager for commands such as qwinkle timeline on a terminal, for example less. Empty: no pager."),
    ConfigOption(
      .tokenCommand, "token-command", .programs, .command, .text(""), perAccount: true,
      "Shell command that prints the account's token; without an account: for --server. $QWINKLE_TOKEN_COMMAND wins."),
    ConfigOption(
      .socket, "socket", .network, .choiceOrPath(["auto", "off"]), .text("auto"),
      """
      The socket of the timeline that the users of this host share. auto: a trusted socket in /run/qwinkle; off: none; \
      or a path.
      """
    ),
    ConfigOption(
      .cache, "cache", .network, .numbers([16, 64, 256, 1024]), .number(64), perAccount: true,
      "Megabytes of cache for reading offline."),
    ConfigOption(
      .linkConditioner, "link-conditioner", .network, .choice(linkConditions), .text("off"),
      "Simulate a bad network."),
  ]

  /// Valid values of `link-conditioner`: the kinds of bad network that it can simulate, or `off`.
  public static let linkConditions = [
    "off", "loss", "slow", "latency", "dns", "reset", "truncated", "close", "429", "flapping",
  ]
}
