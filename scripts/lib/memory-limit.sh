# shellcheck shell=bash
# The kernel's limits of memory, which the units ask for. Sourced, after boot-files.sh.

# The firmware of a Raspberry Pi puts cgroup_disable=memory in front of cmdline.txt, which makes every MemoryMax= void; of two such
# words the kernel takes the later.
readonly MEMORY_WORDS=(cgroup_enable=memory cgroup_memory=1)

# with_words WORD…, without_words WORD…: the kernel command line with, or without them.
with_words() {
  awk -v words="$*" 'NR == 1 { sub(/[ \r]+$/, ""); n = split(words, word, " ")
    for (i = 1; i <= n; i++) if (!index(" " $0 " ", " " word[i] " ")) $0 = $0 ($0 == "" ? "" : " ") word[i] } { print }'
}
without_words() {
  awk -v words=" $* " 'NR == 1 { line = ""; for (i = 1; i <= NF; i++) if (!index(words, " " $i " ")) line = line (line == "" ? "" : " ") $i
    $0 = line } { print }'
}

# limit_memory: has the kernel keep the limits of memory that the units ask for, from the next start on.
limit_memory() {
  local file word
  file=$(boot_file cmdline.txt) || return 0
  for word in "${MEMORY_WORDS[@]}"; do
    grep -qE "(^| )$word( |\$)" "$file" || record_change "memory:$word"
  done
  rewrite "$file" with_words "${MEMORY_WORDS[@]}"
}

# restore_memory_limit: undoes the recorded changes.
restore_memory_limit() {
  local file
  local -a words
  mapfile -t words < <(changes_of memory)
  if [ ${#words[@]} -gt 0 ] && file=$(boot_file cmdline.txt); then rewrite "$file" without_words "${words[@]}"; fi
}
