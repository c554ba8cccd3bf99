# SPDX-License-Identifier: MIT
"""Completions for bash and zsh from the help texts of the program.

Usage:  completions.py PROGRAM FOLDER
Output: FOLDER/bash-completion/completions/rehearse and FOLDER/zsh/site-functions/_rehearse.
"""
import sys
from pathlib import Path

import help_text

BASH = """# Completion of rehearse for bash; generated from its help texts.
_rehearse() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} options=
  COMPREPLY=()
  if [[ $COMP_CWORD == 1 ]]; then
    COMPREPLY=($(compgen -W "{verbs}" -- "$word"))
    return
  fi
  if [[ -n ${{_rehearse_inner[$verb]:-}} ]]; then
    if [[ $COMP_CWORD == 2 ]]; then
      COMPREPLY=($(compgen -W "${{_rehearse_inner[$verb]}}" -- "$word"))
      return
    fi
    verb="$verb ${{COMP_WORDS[2]}}"
  fi
  if [[ -n ${{_rehearse_values["$verb $previous"]:-}} ]]; then
    COMPREPLY=($(compgen -W "${{_rehearse_values["$verb $previous"]}}" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "${{_rehearse_options[$verb]:-}}" -- "$word"))
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
declare -gA _rehearse_inner=(
{inner})
declare -gA _rehearse_options=(
{options})
declare -gA _rehearse_values=(
{values})
complete -F _rehearse rehearse
"""

ZSH = """#compdef rehearse
# Completion of rehearse for zsh; generated from its help texts.
local -a verbs
verbs=(
{verbs})
if (( CURRENT == 2 )); then
  _describe 'command' verbs
  return
fi
local verb=$words[2]
case $verb in
{inner}esac
case $verb in
{cases}  *) _files ;;
esac
"""


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def specification(option):
    """Of zsh's _arguments: the name, its text, what follows it."""
    text = option.text.replace("[", "(").replace("]", ")").replace(":", "\\:")
    value = ""
    if option.value:
        value = f":{option.value}:({' '.join(option.values)})" if option.values else f":{option.value}:_files"
    return [quoted(f"{name}[{text}]{value}") for name in option.names]


def bash(commands, groups):
    options = "".join(f'  ["{" ".join(each.words)}"]="{" ".join(n for o in each.options for n in o.names)}"\n'
                      for each in commands if each.options)
    values = "".join(f'  ["{" ".join(each.words)} {name}"]="{" ".join(option.values)}"\n'
                     for each in commands for option in each.options if option.values for name in option.names)
    inner = "".join(f'  ["{name}"]="{" ".join(words)}"\n' for name, words in groups.items())
    return BASH.format(verbs=" ".join(dict.fromkeys(each.words[0] for each in commands)), inner=inner, options=options,
                       values=values)


def zsh(commands, groups):
    first = {}
    for each in commands:
        first.setdefault(each.words[0], each.group or each.summary)
    verbs = "".join(f"  {quoted(name + ':' + summary.replace(':', ' -'))}\n" for name, summary in first.items())
    inner = "".join(f"  {name})\n    if (( CURRENT == 3 )); then\n      compadd {' '.join(words)}\n      return\n"
                    f"    fi\n    verb=\"$verb $words[3]\"\n    ;;\n" for name, words in groups.items())
    cases = ""
    for each in commands:
        if each.options:
            lines = " \\\n      ".join(spec for option in each.options for spec in specification(option))
            cases += f"  {quoted(' '.join(each.words))})\n    _arguments \\\n      {lines} \\\n      '*:file:_files'\n"
            cases += "    ;;\n"
    return ZSH.format(verbs=verbs, inner=inner, cases=cases)


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    commands = help_text.read_commands(program)
    groups = {}
    for each in commands:
        if len(each.words) == 2:
            groups.setdefault(each.words[0], []).append(each.words[1])
    for path, text in ((folder / "bash-completion/completions/rehearse", bash(commands, groups)),
                       (folder / "zsh/site-functions/_rehearse", zsh(commands, groups))):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
