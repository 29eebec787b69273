#!/usr/bin/env bash
# Creates the virtual environment; installs Debian's python3-venv first where the system lacks it.
set -euo pipefail
venv=${1:?usage: setup-venv.sh FOLDER}
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "Vrhcáb needs Python 3.11 or newer; this machine has $(python3 --version 2>&1 || echo none). On Debian 12 or Raspberry Pi OS: sudo apt-get install python3" >&2
    exit 1
fi
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    echo "Installing python3-venv ..."
    { as_root apt-get -qq update && as_root apt-get -qq install -y python3-venv; } || {
        echo "Could not install python3-venv. Run: sudo apt-get install python3-venv" >&2
        exit 1
    }
fi
# System packages stay visible where picamera2 is one of them (Raspberry Pi OS installs it by apt only).
if python3 -c 'import picamera2' 2>/dev/null; then
    python3 -m venv --system-site-packages "$venv"
else
    python3 -m venv "$venv"
fi
