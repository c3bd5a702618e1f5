extension ConfigOption {
  /// All options, by ``ConfigKey``.
  public static let all: [ConfigOption] = [
    ConfigOption(
      .density, "density", .screen, .choice(["comfortable", "compact"]), .text("comfortable"), perAccount: true,
      "How much room a qwink takes in a list. gz changes it."),
    ConfigOption(
      .times, "times", .screen, .choice(["relative", "clock", "iso"]), .text("relative"), perAccount: true,
      "How times are told in lists: by their age, such as 2h; by the clock, such as Fri 09:04; or as 2026-11-12 09:04."),
    ConfigOption(
      .new, "new", .screen, .choice(["flows", "waits"]), .text("flows"), perAccount: true,
      "Whether new qwinks flow in while you rest at the top of a timeline, or wait above."),
    ConfigOption(
      .hide, "hide", .screen, .words(["boosts", "replies"]), .list([]), perAccount: true,
      "What timelines leave out, but for what is yours. :hide and :show change it in one timeline."),
    ConfigOption(
      .start, "start", .screen,
      .choice(["last", "public", "home", "messages", "notifications", "bookmarks", "views"]), .text("last"),
      perAccount: true, "The section shown at the start; last: where you left. views: your own, below [views]."),
    ConfigOption(
      .messagesPane, "messages-pane", .screen, .choice(["auto", "show", "hide"]), .text("auto"), perAccount: true,
      "Whether messages stand beside the section, from 160 columns. auto: from 200. ^Wm changes it."),
    ConfigOption(
      .mouse, "mouse", .terminal, .flag, .flag(true),
      "Use the mouse to click, scroll and drag. Without, dragging selects text."),
    ConfigOption(
      .theme, "theme", .terminal,
      .choiceOrAddress(["terminal", "night", "forest", "ember", "paper", "day", "sand", "contrast", "mono", "own"]),
      .text("terminal"), perAccount: true,
      """
      The colours; terminal: its own, those that can be read on light where it says that it is light. paper, day and \
      sand are light. own: theme.txt, beside this file, as qwinkle-config(5) says. Or the https address of such a file, \
      which is kept.
      """
    ),
    ConfigOption(
      .colours, "colours", .terminal, .choice(["auto", "none", "16", "256"]), .text("auto"), perAccount: true,
      "How many colours are used at most. auto: as many as the terminal has; $NO_COLOR is heeded."),
    ConfigOption(
      .ambiguousWidth, "ambiguous-width", .terminal, .choice(["auto", "narrow", "wide"]), .text("auto"),
      "Width of characters that terminals disagree on. auto: the terminal is asked."),
    ConfigOption(
      .keymap, "keymap", .terminal, .choiceOrAddress(["standard", "vi", "emacs", "arrows", "toot", "tut"]),
      .text("standard"),
      "The keys: a ready map over the standard ones. keys.txt, beside this file, changes them further: qwinkle-keys(5). Or the https address of such a file, without macros and commands."
    ),
    ConfigOption(
      .attention, "attention", .notifications, .choice(["off", "bell", "notify"]), .text("off"), perAccount: true,
      "How direct messages and mentions call: not, by the bell, or by a notification of the desktop."),
    ConfigOption(
      .quiet, "quiet", .notifications, .hours, .text("off"), perAccount: true,
      "The hours in which nothing calls."),
    ConfigOption(
      .pictures, "pictures", .pictures, .choice(["kitty", "cells", "off"]), .text("kitty"), perAccount: true,
      """
      How pictures are shown: kitty: pixel for pixel where the terminal can do that, everywhere in kitty and ghostty, in \
      the viewer in those that draw sixels or iTerm2's files; cells: in cells; off: by their descriptions alone.
      """
    ),
    ConfigOption(
      .picturesFrom, "pictures-from", .pictures, .choice(["server", "all"]), .text("server"), perAccount: true,
      "Whose pictures are fetched by themselves: those on your server, or on all. Others are fetched by key."),
    ConfigOption(
      .metered, "metered", .pictures, .flag, .flag(false), perAccount: true, "Fetch pictures by key only."),
    ConfigOption(
      .enter, "enter", .writing, .choice(["newline", "sends"]), .text("newline"), perAccount: true,
      "What Enter does in a chat. M-Enter always begins a new line, ^D always sends."),
    ConfigOption(
      .audience, "audience", .writing, .choice(["server", "public", "unlisted", "followers", "direct"]),
      .text("server"), perAccount: true,
      "Who may read a new qwink. server: as your account says there. Replies are never wider than what they reply to."),
    ConfigOption(
      .language, "language", .writing, .language, .text(""), perAccount: true,
      "The language of a new qwink. Empty: the server decides."),
    ConfigOption(
      .hold, "hold", .writing, .seconds(0...60), .number(6), perAccount: true,
      "Seconds in which u can undo a post, message, deletion, block or vote; gs does it now. 0: nothing is held."),
    ConfigOption(
      .confirmQuit, "confirm-quit", .questions, .flag, .flag(true),
      "Ask before q quits. What waits to be sent is always asked about."),
    ConfigOption(
      .confirmDelete, "confirm-delete", .questions, .flag, .flag(true), perAccount: true,
      "Ask before a qwink is deleted, unless that can be taken back (hold)."),
    ConfigOption(
      .editor, "editor", .programs, .command, .text(""), perAccount: true,
      "The editor for ^Xe. Empty: $VISUAL, $EDITOR, or the first that is installed."),
    ConfigOption(
      .browser, "browser", .programs, .command, .text(""), perAccount: true,
      "The browser for links; %s stands for the address. Empty: $BROWSER, or the desktop's."),
    ConfigOption(
      .viewer, "viewer", .programs, .command, .text(""), perAccount: true,
      "The program for pictures, video and sound, started with the address like the browser. Empty: the browser."),
    ConfigOption(
      .pager, "pager", .programs, .command, .text(""), perAccount: true,
      "What commands such as qwinkle timeline print on a terminal is read in it, such as less. Empty: just printed."),
    ConfigOption(
      .tokenCommand, "token-command", .programs, .command, .text(""), perAccount: true,
      "A shell command that prints the account's token; for all accounts: with --server. $QWINKLE_TOKEN_COMMAND wins."),
    ConfigOption(
      .cache, "cache", .network, .numbers([16, 64, 256, 1024]), .number(64), perAccount: true,
      "How many megabytes are kept for reading offline."),
    ConfigOption(
      .linkConditioner, "link-conditioner", .network, .choice(linkConditions), .text("off"),
      "Simulate a bad network."),
  ]

  /// The conditions that the link conditioner knows.
  public static let linkConditions = [
    "off", "loss", "slow", "latency", "dns", "reset", "truncated", "close", "429", "flapping",
  ]
}
