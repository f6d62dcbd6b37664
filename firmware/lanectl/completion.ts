/** Completion in bash, zsh and fish: the shell hands over the words, and the commands themselves say what may follow. */
import { type Command, InvalidArgumentError, type Option } from 'commander';
import { isInstalled, ROOT } from './own-machine.ts';

/** Asked by the shells, and by nobody else. */
const ASKED = '__complete';
const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What the shells ask: of a clone by its path, as the word `lanectl` is known only on a lane. */
const asked = (): string => `${isInstalled() ? 'lanectl' : `'${ROOT}scripts/lanectl.sh'`} ${ASKED}`;

/** Each completes `lanectl`, and `npx lanectl` where the shell has nothing of its own for npx. */
const SCRIPTS: Readonly<Record<Shell, (ask: string) => string>> = {
  bash: (ask) => `# eval "$(lanectl completion bash)"
_lanectl() {
  local IFS=$'\\n' from=\${1:-1}
  case $from in *[!0-9]*) from=1 ;; esac
  COMPREPLY=($(${ask} -- "\${COMP_WORDS[@]:from:COMP_CWORD-from+1}" 2>/dev/null | cut -f 1))
  if [ "\${COMPREPLY[0]}" = ':files' ]; then COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi
}
_lanectl_npx() {
  if [ "$COMP_CWORD" -gt 1 ] && [ "\${COMP_WORDS[1]}" = lanectl ]; then _lanectl 2; fi
}
complete -F _lanectl lanectl
complete -p npx >/dev/null 2>&1 || complete -o default -F _lanectl_npx npx
`,
  zsh: (ask) => `#compdef lanectl
# eval "$(lanectl completion zsh)"
_lanectl() {
  local -a lines found
  lines=("\${(@f)$(${ask} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $lines[1] == ':files' ]]; then _files; return; fi
  found=("\${(@)lines/$'\\t'/:}")
  _describe 'lanectl' found
}
_lanectl_npx() {
  if (( CURRENT > 2 )) && [[ $words[2] == lanectl ]]; then
    shift words
    (( CURRENT-- ))
    _lanectl
  else
    _default
  fi
}
compdef _lanectl lanectl
(( \${+_comps[npx]} )) || compdef _lanectl_npx npx
`,
  fish: (ask) => `# lanectl completion fish | source
function __lanectl_complete
  set -l typed (commandline -opc)
  test "$typed[1]" = npx; and set -e typed[1]
  set -e typed[1]
  set -l found (${ask} -- $typed (commandline -ct) 2>/dev/null)
  if test "$found[1]" = ':files'
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c lanectl -f -a '(__lanectl_complete)'
complete -c npx -n '__fish_seen_subcommand_from lanectl' -f -a '(__lanectl_complete)'
`,
};

/** Names of files are completed by the shell itself. */
const FILES = ':files';
const takesFile = (name: string): boolean => /file/.test(name);

interface Place {
  readonly command: Command;
  /** The option whose value is being typed. */
  readonly option: Option | null;
  /** Arguments of the command that are there already. */
  readonly given: number;
}

/** Where in the commands the words lead that have been typed in full. */
function placeOf(program: Command, words: readonly string[]): Place {
  let command = program;
  let option: Option | null = null;
  let given = 0;
  for (const word of words) {
    if (option !== null) option = null;
    else if (word.startsWith('-')) {
      const known = [...command.options, ...program.options].find((each) => each.long === word || each.short === word);
      option = known?.required === true ? known : null;
    } else {
      const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
      if (next === undefined) given += 1;
      else command = next;
    }
  }
  return { command, option, given };
}

/** Lines of a candidate and, behind a tab, what it is; the last word is the one that is being typed. */
export function candidates(program: Command, words: readonly string[]): string[] {
  const typed = words.at(-1) ?? '';
  const { command, option, given } = placeOf(program, words.slice(0, -1));
  const line = (name: string, about: string): string => (about === '' ? name : `${name}\t${about}`);
  const matching = (names: readonly string[]): string[] => names.filter((name) => name.startsWith(typed));
  if (option !== null) return takesFile(option.flags) ? [FILES] : matching(option.argChoices ?? []);
  if (typed.startsWith('-')) {
    const help = line('--help', 'print help');
    const options = [...command.options, ...(command === program ? [] : program.options)];
    return matching([...options.map(({ long, description }) => line(long ?? '', description)), help]);
  }
  const argument = command.registeredArguments[given];
  if (argument !== undefined) return takesFile(argument.name()) ? [FILES] : matching(argument.argChoices ?? []);
  const names = command.commands.filter((each) => each.name() !== ASKED);
  return matching(names.map((each) => line(each.name(), each.description())));
}

function shell(text: string): Shell {
  const known = SHELLS.find((name) => name === text);
  if (known === undefined) throw new InvalidArgumentError(`It must be one of ${SHELLS.join(', ')}.`);
  return known;
}

export function addCompletion(program: Command): void {
  const argument = program.createArgument('<shell>', SHELLS.join(', ')).argParser(shell);
  argument.argChoices = [...SHELLS];
  program
    .command('completion')
    .description('print what a shell needs to complete commands and options: eval "$(lanectl completion bash)"')
    .addArgument(argument)
    .action((name: Shell) => {
      process.stdout.write(SCRIPTS[name](asked()));
    });
  program
    .command(ASKED, { hidden: true })
    .argument('[words...]')
    .action((words: readonly string[]) => {
      process.stdout.write(
        candidates(program, words)
          .map((candidate) => `${candidate}\n`)
          .join(''),
      );
    });
}
