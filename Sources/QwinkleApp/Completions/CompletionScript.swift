/// The completion scripts that the argument parser writes, with what they lack.
enum CompletionScript {
  private static let registration = "complete -o filenames -F _qwinkle qwinkle"

  /// `script` as it is installed.
  ///
  /// Bash divides the words of a command line at `@` and `:`, too: `--as anna@tilde.example` would be four words, and
  /// no name would ever be completed. So its script joins them before it asks, and answers with the part that bash
  /// replaces. Those of other shells stay as they are.
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
