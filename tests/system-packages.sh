#!/usr/bin/env bash
# Installs what the tests use beyond Python, where it may; else names what will be skipped and the command that enables it.
set -u
cd "$(dirname "$0")/.."
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

missing=()
{ command -v chromium || command -v chromium-browser; } >/dev/null || missing+=(chromium)
command -v chromedriver >/dev/null || missing+=(chromium-driver)
# It does with half the work what a whole Chromium does where a system has no such package.
command -v chromium-headless-shell >/dev/null || missing+=(chromium-headless-shell)
{ command -v gnubg || [ -x /usr/games/gnubg ]; } >/dev/null || missing+=(gnubg)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
{ command -v mosquitto || [ -x /usr/sbin/mosquitto ]; } >/dev/null || missing+=(mosquitto)
{ command -v initdb || ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1 || missing+=(postgresql)
command -v shellcheck >/dev/null || missing+=(shellcheck)
command -v strace >/dev/null || missing+=(strace)
if [ ${#missing[@]} -gt 0 ]; then
    echo "Installing for the tests: ${missing[*]}"
    as_root apt-get -qq update >/dev/null 2>&1 </dev/null
    # One by one: a package that this system does not have must not keep out the others.
    failed=()
    for package in "${missing[@]}"; do
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$package" \
            >/dev/null 2>&1 </dev/null || [ "$package" = chromium-headless-shell ] || failed+=("$package")
    done
    if [ ${#failed[@]} -gt 0 ]; then
        echo "Tests that need ${failed[*]} will be skipped. To enable them: sudo apt-get install ${failed[*]}"
    fi
fi

# The emulated Pico and the MicroPython that the firmware's tests run on; tests/firmware/micropython.py looks there.
# Whoever sets VRHCAB_NODE_MODULES has them elsewhere.
[ -n "${VRHCAB_NODE_MODULES:-}" ] && exit 0
packages=(rp2040js@1.4.1 @micropython/micropython-webassembly-pyscript@1.27.0 axe-core@4.14.1)
absent=()
for package in "${packages[@]}"; do
    [ -d "build/node/node_modules/${package%@*}" ] || absent+=("$package")
done
if [ ${#absent[@]} -gt 0 ]; then
    enable="npm install --prefix build/node ${absent[*]}"
    if ! { command -v npm && timeout 120 npm install --prefix build/node --no-save --no-audit --no-fund "${packages[@]}"; } >/dev/null 2>&1 </dev/null; then
        echo "Tests of the firmware on an emulated Pico and of the pages with axe-core will be skipped. To enable them: $enable"
    fi
fi
exit 0
