# shellcheck shell=bash
# The name of a board. Sourced.

# set_name NAME: for this boot and those after it; repeating it does no harm.
set_name() {
  local name=$1
  printf '%s\n' "$name" | durable_write "$ROOT/etc/hostname"
  if grep -q "^127\.0\.1\.1" "$ROOT/etc/hosts" 2>/dev/null; then
    sed "s/^127\.0\.1\.1.*/127.0.1.1\t$name/" "$ROOT/etc/hosts" | durable_write "$ROOT/etc/hosts"
  else
    { cat "$ROOT/etc/hosts" 2>/dev/null || true; printf '127.0.1.1\t%s\n' "$name"; } | durable_write "$ROOT/etc/hosts"
  fi
  [ -n "$ROOT" ] || hostname "$name"
}
