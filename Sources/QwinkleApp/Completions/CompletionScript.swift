/// Changes to the completion scripts that the parser generates.
enum CompletionScript {
  private static let registration = "complete -o filenames -F _qwinkle qwinkle"

  /// Returns the version of `script` that users install.
  ///
  /// In addition to spaces, bash splits a command line at `@` and `:`. It would split `--as anna@tilde.example` into
  /// several words, so account names could never be completed. The changed bash script joins these words before it
  /// calls the parser's function. Bash replaces only the last of the joined words, so the script then removes the other
  /// words from each completion. Scripts for other shells are unchanged.
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
