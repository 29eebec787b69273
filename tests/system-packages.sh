#!/usr/bin/env bash
# Installs what the tests use beyond Python, where it may; else names what will be skipped and the command that enables it.
set -u
missing=()
command -v chromium >/dev/null || missing+=(chromium)
{ command -v gnubg || [ -x /usr/games/gnubg ]; } >/dev/null || missing+=(gnubg)
[ ${#missing[@]} -eq 0 ] && exit 0
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
echo "Installing for the tests: ${missing[*]}"
if ! { as_root apt-get -qq update && DEBIAN_FRONTEND=noninteractive as_root apt-get -qq install -y --no-install-recommends "${missing[@]}"; } >/dev/null 2>&1; then
    echo "Tests that need ${missing[*]} will be skipped. To enable them: sudo apt-get install ${missing[*]}"
fi
exit 0
