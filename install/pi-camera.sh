#!/usr/bin/env bash
# Lets a virtual environment that sees the system's packages load picamera2. The simplejpeg that comes with it is built for the
# system's NumPy, which on Debian 12 is older than ours, and can't be loaded beside it: then the environment gets its own.
#   install/pi-camera.sh PYTHON
set -euo pipefail
python=${1:?usage: pi-camera.sh PYTHON}
sees() { "$python" -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("picamera2") is None)'; }
loads() { "$python" -c 'import picamera2' >/dev/null 2>&1; }
if ! sees || loads; then exit 0; fi
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --ignore-installed simplejpeg || true
loads || echo "The Pi's camera can't be used: picamera2 can't be loaded. To see why: $python -c 'import picamera2'" >&2
