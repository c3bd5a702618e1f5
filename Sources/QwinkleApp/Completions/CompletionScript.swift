/// Fixes the parser's completion scripts.
enum CompletionScript {
  private static let registration = "complete -o filenames -F _qwinkle qwinkle"

  /// Returns `script` ready to be installed.
  ///
  /// Bash also splits the words of a command line at `@` and `:`. `--as anna@tilde.example` would be several words, and
  /// no name would ever be completed. The bash script therefore joins the words before it calls the parser's function,
  /// and returns the part that bash replaces. Scripts for other shells are unchanged.
  static func completed(_ script: String) -> String {
    guard script.contains(registration) else { return script }
    return script.replacing(registration, with: joining)
  }

  private static let joining = #"""
    # Bash divides words at some characters of names and addresses, such as @: joins them, and completes the last part.
    __qwinkle_joined() {
        local -a joined=()
        local rest="${COMP_LINE}" word bare
        local -i index
        for index in "${!COMP_WORDS[@]}"; do
            word="${COMP_WORDS[${index}]}"
            bare="${rest#"${rest%%[![:space:]]*}"}"
            if [[ "${index}" -gt 0 && -n "${word}" && "${rest}" = "${word}"* ]]; then
                joined[${#joined[@]} - 1]+="${word}"
            else
                joined+=("${word}")
            fi
            rest="${bare#"${word}"}"
            [[ "${index}" -eq "${COMP_CWORD}" ]] && break
        done

        # What bash replaces is the end of the word, or all of it but a quote.
        local whole="${joined[${#joined[@]} - 1]}" head=""
        [[ "${whole}" != [\"\']* && "${whole}" = *"${2}" ]] && head="${whole%"${2}"}"
        local -a COMP_WORDS=("${joined[@]}")
        local -i COMP_CWORD="${#joined[@]} - 1"
        _qwinkle "${1}" "${head}${2}" "${COMP_WORDS[${COMP_CWORD} - 1]}"

        local -i place
        for place in "${!COMPREPLY[@]}"; do
            COMPREPLY[${place}]="${COMPREPLY[${place}]#"${head}"}"
        done
    }

    complete -o filenames -F __qwinkle_joined qwinkle
    """#
}
