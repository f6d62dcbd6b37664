/** Completion in bash, zsh and fish: a script that holds what may follow each command, so that TAB starts no program. */
import { type Argument, type Command, InvalidArgumentError, type Option } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Names of files are completed by the shell itself. */
const FILES = ':files';
/** A text that is not known before it is typed. */
const ANY = ':any';

/** A question that the script asks itself, and its answer: lines of a candidate and, behind a tab, what it is. */
type Answer = readonly [question: string, lines: readonly string[]];

const line = (name: string, about: string): string => (about === '' ? name : `${name}\t${about}`);

function valuesOf(name: string, choices: readonly string[] | undefined): readonly string[] {
  if (choices !== undefined) return choices;
  return [/file|folder/.test(name) ? FILES : ANY];
}

const answerOfOption = (path: string, { long, short, flags, required, argChoices }: Option): Answer[] =>
  required
    ? [long, short].flatMap((name): Answer[] =>
        name === undefined ? [] : [[`value ${path} ${name}`, valuesOf(flags, argChoices)]],
      )
    : [];

const answerOfArgument = (path: string, argument: Argument, at: number): Answer => [
  `argument ${path} ${at}`,
  valuesOf(argument.name(), argument.argChoices),
];

/** What may follow a command, and those below it. @param path the words that lead to it; empty for the program */
function answersOf(command: Command, path: string, common: readonly Option[]): Answer[] {
  const own = [...command.options, ...(path === '' ? [] : common)];
  const flags = own.map(({ long, description }) => line(long ?? '', description));
  return [
    [`options ${path}`, [...flags, line('--help', 'print help')]],
    [`names ${path}`, command.commands.map((each) => line(each.name(), each.description()))],
    ...command.options.flatMap((option) => answerOfOption(path, option)),
    ...command.registeredArguments.map((argument, at) => answerOfArgument(path, argument, at)),
    ...command.commands.flatMap((each) => {
      const below = `${path} ${each.name()}`.trim();
      return [[`command ${below}`, [each.name()]] as const, ...answersOf(each, below, common)];
    }),
  ];
}

/** The questions with an answer, as `case` of a POSIX shell or `switch` of fish have them. */
const cases = (answers: readonly Answer[], each: (question: string, lines: readonly string[]) => string): string =>
  answers.flatMap(([question, lines]) => (lines.length === 0 ? [] : [each(question, lines)])).join('\n');

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const quotedInFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Of bash and of zsh: `__lanectl_find WORDS… TYPED` leaves in REPLY what may stand in the place of the last. */
const posix = (answers: readonly Answer[]): string => `__lanectl_says() {
  case $1 in
${cases(answers, (question, lines) => `    ${quoted(question)}) REPLY=${quoted(lines.join('\n'))} ;;`)}
    *) REPLY= ;;
  esac
}
__lanectl_find() {
  local at= given=0 value= word
  while [ $# -gt 1 ]; do
    word=$1
    shift
    if [ -n "$value" ]; then value=; continue; fi
    case $word in
      -*)
        __lanectl_says "value $at $word"
        [ -n "$REPLY" ] || __lanectl_says "value  $word"
        value=$REPLY
        continue ;;
    esac
    __lanectl_says "command \${at:+$at }$word"
    if [ -n "$REPLY" ]; then at=\${at:+$at }$word; else given=$((given + 1)); fi
  done
  if [ -n "$value" ]; then REPLY=$value; return; fi
  case \${1-} in -*) __lanectl_says "options $at"; return ;; esac
  __lanectl_says "argument $at $given"
  [ -n "$REPLY" ] || __lanectl_says "names $at"
}
`;

/** Each completes `lanectl`, and `npx lanectl` where the shell has nothing of its own for npx. */
const SCRIPTS: Readonly<Record<Shell, (answers: readonly Answer[]) => string>> = {
  bash: (answers) => `# eval "$(lanectl completion bash)"
${posix(answers)}_lanectl() {
  local from=\${1:-1} typed=\${COMP_WORDS[COMP_CWORD]} each REPLY=
  case $from in *[!0-9]*) from=1 ;; esac
  COMPREPLY=()
  __lanectl_find "\${COMP_WORDS[@]:from:COMP_CWORD-from+1}"
  case $REPLY in
    ${ANY}) ;;
    ${FILES}) while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen -f -- "$typed") ;;
    *) while IFS= read -r each; do
      if [[ $each == "$typed"* ]]; then COMPREPLY+=("\${each%%$'\\t'*}"); fi
    done <<<"$REPLY" ;;
  esac
}
_lanectl_npx() {
  if [ "$COMP_CWORD" -gt 1 ] && [ "\${COMP_WORDS[1]}" = lanectl ]; then _lanectl 2; fi
}
complete -F _lanectl lanectl
complete -p npx >/dev/null 2>&1 || complete -o default -F _lanectl_npx npx
`,
  zsh: (answers) => `#compdef lanectl
# eval "$(lanectl completion zsh)"
${posix(answers)}_lanectl() {
  local REPLY=
  local -a found
  __lanectl_find "\${(@)words[2,CURRENT]}"
  case $REPLY in
    ${ANY}|'') return 1 ;;
    ${FILES}) _files ;;
    *) found=("\${(@f)\${REPLY//$'\\t'/:}}"); _describe 'lanectl' found ;;
  esac
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
  fish: (answers) => `# lanectl completion fish | source
function __lanectl_says
  set -g __lanectl_reply
  switch $argv[1]
${cases(answers, (question, lines) => `    case ${quotedInFish(question)}\n      set -g __lanectl_reply ${lines.map(quotedInFish).join(' ')}`)}
  end
end
function __lanectl_find
  set -l at ''
  set -l given 0
  set -l value
  for word in $argv[1..-2]
    if test -n "$value"
      set value
    else if string match -q -- '-*' $word
      __lanectl_says "value $at $word"
      test -n "$__lanectl_reply"; or __lanectl_says "value  $word"
      set value $__lanectl_reply
    else
      set -l below (string trim "$at $word")
      __lanectl_says "command $below"
      if test -n "$__lanectl_reply"
        set at $below
      else
        set given (math $given + 1)
      end
    end
  end
  if test -n "$value"
    set -g __lanectl_reply $value
  else if string match -q -- '-*' $argv[-1]
    __lanectl_says "options $at"
  else
    __lanectl_says "argument $at $given"
    test -n "$__lanectl_reply"; or __lanectl_says "names $at"
  end
end
function __lanectl_complete
  set -l typed (commandline -opc)
  test "$typed[1]" = npx; and set -e typed[1]
  set -e typed[1]
  __lanectl_find $typed (commandline -ct)
  switch "$__lanectl_reply"
    case ${ANY}
    case ${FILES}
      __fish_complete_path (commandline -ct)
    case '*'
      printf '%s\\n' $__lanectl_reply
  end
end
complete -c lanectl -f -a '(__lanectl_complete)'
complete -c npx -n '__fish_seen_subcommand_from lanectl' -f -a '(__lanectl_complete)'
`,
};

function shell(text: string): Shell {
  const known = SHELLS.find((name) => name === text);
  if (known === undefined) throw new InvalidArgumentError(`It must be one of ${SHELLS.join(', ')}.`);
  return known;
}

/** @param whole the program with all of its commands */
export function addCompletion(program: Command, whole: () => Promise<Command>): void {
  const argument = program.createArgument('<shell>', SHELLS.join(', ')).argParser(shell);
  argument.argChoices = [...SHELLS];
  program
    .command('completion')
    .description('print completion for a shell: eval "$(lanectl completion bash)"')
    .addArgument(argument)
    .action(async (name: Shell) => {
      const all = await whole();
      process.stdout.write(SCRIPTS[name](answersOf(all, '', all.options)));
    });
}
