#!/usr/bin/env bash
# Makes or refreshes .venv in the checkout: scripts/setup.sh [EXTRA...]
# Quiet and quick when nothing has to be done; safe to run twice at a time or after a kill.
set -euo pipefail
unset PYTHONPATH PYTHONHOME

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv
python=$venv/bin/python
stamp=$venv/.mira-setup          # what is installed: a key, then one extra a line
unfinished=$venv/.mira-unfinished # there while pip runs; left behind by a kill
log=$venv/.mira-setup.log

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }
wrong_use() { say "error: $*"; exit 2; }

# --- What is asked for ------------------------------------------------------------------------

known_extras() { # one a line, as pyproject.toml has them
  awk '/^\[/ { here = $0 == "[project.optional-dependencies]"; next }
       here && /^[a-z][a-z0-9-]* *=/ { sub(/ *=.*/, ""); print }' "$root/pyproject.toml"
}

require_known_extras() {
  local extra
  for extra in "$@"; do
    known_extras | grep -qxF -- "$extra" ||
      wrong_use "no such extra: $extra (there are: $(known_extras | paste -sd' ' -))"
  done
}

case ${1:-} in
  -h | --help)
    echo "usage: bash scripts/setup.sh [EXTRA...]   (extras: $(known_extras | paste -sd' ' -))"
    exit 0
    ;;
esac
require_known_extras "$@"

# --- Is there anything to do? ---------------------------------------------------------------

current_key() {
  "$python" -I - "$root" <<'PY'
import hashlib, pathlib, sys
text = pathlib.Path(sys.argv[1], "pyproject.toml").read_bytes()
print(hashlib.sha256(text).hexdigest(), "%d.%d.%d" % sys.version_info[:3], sys.argv[1])
PY
}

up_to_date() {
  [[ -x $python && -f $stamp && ! -e $unfinished ]] || return 1
  local key extra
  key=$(current_key 2>/dev/null) || return 1
  [[ $(head -n 1 "$stamp") == "$key" ]] || return 1
  for extra in "$@"; do
    tail -n +2 "$stamp" | grep -qxF -- "$extra" || return 1
  done
}

# --- System packages ------------------------------------------------------------------------

as_root() {
  if [[ $(id -u) -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}

can_install() {
  command -v apt-get >/dev/null || return 1
  [[ $(id -u) -eq 0 ]] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }
}

known_to_apt() { apt-cache show "$1" >/dev/null 2>&1; }

apt_install() {
  local name names=()
  for name in "$@"; do
    known_to_apt "$name" || known_to_apt "${name}t64" || { as_root apt-get update -q || return 1; }
    # Debian 13 and Ubuntu 24.04 renamed some libraries with their 64-bit time.
    if known_to_apt "${name}t64"; then names+=("${name}t64"); else names+=("$name"); fi
  done
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    "${names[@]}" && return
  as_root apt-get update -q &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
      "${names[@]}"
}

missing_libraries() { # one package a line
  local ldconfig libraries wanted entry
  ldconfig=$(command -v ldconfig || command -v /sbin/ldconfig) || return 0
  libraries=$("$ldconfig" -p)
  wanted=(libGL.so.1=libgl1 libgthread-2.0.so.0=libglib2.0-0) # what opencv-python loads
  if [[ " $* " == *" sim "* || " $* " == *" all "* ]]; then   # what MuJoCo renders with
    wanted+=(libEGL.so.1=libegl1 libEGL_mesa.so.0=libegl-mesa0)
    compgen -G '/usr/lib*/dri/*_dri.so' >/dev/null ||
      compgen -G '/usr/lib/*/dri/*_dri.so' >/dev/null || echo libgl1-mesa-dri
  fi
  for entry in "${wanted[@]}"; do
    grep -qF "${entry%%=*} " <<<"$libraries" || echo "${entry#*=}"
  done
}

missing_venv_package() {
  local base
  find_python ensurepip,venv >/dev/null || {
    base=$(find_python sys)
    "$base" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'
  }
}

prepare_system() {
  local missing said
  venv_usable || find_python sys >/dev/null ||
    fail "Python 3.11 or newer is needed and was not found"
  mapfile -t missing < <(
    missing_libraries "$@"
    venv_usable || missing_venv_package
  )
  if ((${#missing[@]} == 0)); then return; fi
  if can_install; then
    say "Installing system packages: ${missing[*]}"
    if said=$(apt_install "${missing[@]}" 2>&1); then return; fi
    said=" (apt-get: $(tail -n 1 <<<"$said"))"
  fi
  fail "system packages are missing; install them first: apt-get install ${missing[*]}${said:-}"
}

# --- Python ---------------------------------------------------------------------------------

find_python() { # $1: modules it must have
  local name
  for name in "${PYTHON:-}" python3 python3.13 python3.12 python3.11 python3.14; do
    if [[ -n $name ]] && "$name" -c "
import sys
assert sys.version_info >= (3, 11)
import $1" 2>/dev/null; then
      printf '%s\n' "$name"
      return
    fi
  done
  return 1
}

make_venv() {
  local base
  base=$(find_python ensurepip,venv)
  "$base" -m venv --clear "$venv" || fail "$base could not make $venv"
}

venv_usable() {
  [[ ! -e $unfinished ]] || return 1
  "$python" -I -c 'import sys; assert sys.version_info >= (3, 11); import pip' 2>/dev/null ||
    return 1
  # A moved checkout has the old path in all its scripts.
  [[ ! -f $stamp || $(head -n 1 "$stamp") == *" $root" ]]
}

why_pip_failed() { # in a few words
  if grep -qE 'NewConnectionError|NameResolutionError|ConnectTimeout|Failed to establish' "$log"; then
    echo "no connection to the package index"
  elif grep -qF 'No space left on device' "$log"; then
    echo "the disk is full"
  else
    echo "pip could not do it"
  fi
}

pip_install() {
  local extras what
  extras=$({
    printf '%s\n' "$@"
    if [[ -f $stamp ]]; then tail -n +2 "$stamp"; fi
  } | sed '/^$/d' | sort -u)
  rm -f "$stamp"
  : >"$unfinished"
  what=".[$(paste -sd, - <<<"$extras")]"
  if ! (cd -- "$root" && "$python" -I -m pip install --disable-pip-version-check --no-input \
    --retries "${PIP_RETRIES:-2}" --progress-bar off -e "${what/\[\]/}") >>"$log" 2>&1 </dev/null; then
    # Where pip gave up before it touched anything, the environment is as good as before.
    grep -q '^Installing collected packages' "$log" || rm -f "$unfinished"
    fail "$what is not installed: $(why_pip_failed); all that pip said is in $log"
  fi
  { current_key; printf '%s\n' "$extras"; } >"$stamp.new"
  mv "$stamp.new" "$stamp"
  rm -f "$unfinished"
}

# --------------------------------------------------------------------------------------------

if up_to_date "$@"; then exit 0; fi

# The lock is on the folder of the checkout itself; it ends with the last process that holds it.
if command -v flock >/dev/null; then
  exec 9<"$root"
  flock -n 9 || { say "Another set-up is running here; waiting for it"; flock 9; }
  if up_to_date "$@"; then exit 0; fi
fi

if venv_usable && [[ -f $stamp ]]; then
  say "Bringing $venv up to date${*:+ with $*}"
else
  say "Setting up $venv (takes a minute or two)"
fi
prepare_system "$@"
venv_usable || make_venv
: >"$log"
pip_install "$@"
