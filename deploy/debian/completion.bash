# Completion of tesela and tesela-server in bash: commands and options, as --help tells them.
_tesela() {
  local word=${COMP_WORDS[COMP_CWORD]} commands=() at
  for ((at = 1; at < COMP_CWORD; ++at)); do
    [[ ${COMP_WORDS[at]} == -* ]] || commands+=("${COMP_WORDS[at]}")
  done
  local help
  help=$("$1" "${commands[@]:0:2}" --help 2>/dev/null || "$1" "${commands[@]:0:1}" --help 2>/dev/null)
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(grep -oE '(^|[ ,])--[a-z0-9-]+' <<<"$help")" -- "$word")
  else
    mapfile -t COMPREPLY < <(
      compgen -W "$(sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z-]*\) .*/\1/p' <<<"$help")" -- "$word"
      compgen -f -- "$word")
  fi
}
complete -F _tesela tesela tesela-server
