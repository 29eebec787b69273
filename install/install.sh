#!/usr/bin/env bash
# Installs or updates Vrhcáb as a service of this machine. Games and settings that are there stay as they are.
#   sudo install/install.sh            with the Debian packages it needs
#   sudo install/install.sh --no-apt   without asking apt for anything
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
home=/opt/vrhcab
state=/var/lib/vrhcab
settings=/etc/vrhcab/vrhcab.toml

apt=yes
case "${1:-}" in
    "") ;;
    --no-apt) apt=no ;;
    *) echo "Unknown choice $1. There is --no-apt, or nothing." >&2; exit 1 ;;
esac
[ "$(id -u)" = 0 ] || { echo "Installing changes the system: run it with sudo." >&2; exit 1; }

say() { echo "== $*"; }
systemd_runs() { [ -d /run/systemd/system ]; }

if [ "$apt" = yes ]; then
    say "Debian packages"
    apt-get -qq update || echo "The package lists could not be refreshed; going on with those that are here." >&2
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends adduser python3 python3-venv
    # One by one: Debian lacks what only Raspberry Pi OS has, and the referee runs without each of them.
    for package in python3-lgpio python3-picamera2 avahi-daemon avahi-utils; do
        DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$package" >/dev/null 2>&1 \
            || echo "$package is not to be had here; going on without it."
    done
fi
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Vrhcáb needs Python 3.11 or newer." >&2; exit 1; }

say "User and groups"
getent passwd vrhcab >/dev/null || adduser --quiet --system --group --home "$state" --no-create-home vrhcab
for group in video gpio dialout; do
    if getent group "$group" >/dev/null; then usermod --append --groups "$group" vrhcab; fi
done

say "Program"
# A whole new environment beside the old one: the old one runs until the new one is known to start.
version=$home/versions/$(date -u +%Y%m%d-%H%M%S)
mkdir -p "$home/versions"
fail() { rm -rf "$version"; echo "The program could not be installed; what was here before is unchanged." >&2; exit 1; }
python3 -m venv --system-site-packages "$version" || fail
"$version/bin/python" -m pip install --quiet --disable-pip-version-check "${project}[mqtt]" || fail
"$version/bin/vrhcab" --version || fail

say "Settings and games"
install -d -m 0750 -o root -g vrhcab /etc/vrhcab
[ -e "$settings" ] || install -m 0640 -o root -g vrhcab "$here/vrhcab.toml" "$settings"
install -d -m 0750 -o vrhcab -g vrhcab "$state"

say "Service"
previous=$(readlink "$home/current" 2>/dev/null || true)
ln -sfn "$version" "$home/current.new"
mv -T "$home/current.new" "$home/current"
install -d /usr/local/bin
ln -sfn "$home/current/bin/vrhcab" /usr/local/bin/vrhcab
install -D -m 0644 "$here/vrhcab.service" /etc/systemd/system/vrhcab.service
install -D -m 0644 "$here/70-vrhcab.rules" /etc/udev/rules.d/70-vrhcab.rules
install -d "$home/docs"
cp "$project"/docs/*.md "$project"/docs/*.svg "$home/docs/"
install -m 0755 "$here/uninstall.sh" "$home/uninstall.sh"
services=(vrhcab.service)
if command -v avahi-publish >/dev/null; then
    install -D -m 0644 "$here/vrhcab.avahi" /etc/avahi/services/vrhcab.service
    install -D -m 0644 "$here/vrhcab-name.service" /etc/systemd/system/vrhcab-name.service
    services+=(vrhcab-name.service)
fi
if systemd_runs; then
    systemctl daemon-reload
    if udevadm control --reload 2>/dev/null; then udevadm trigger --subsystem-match=tty; fi
    systemctl --quiet enable "${services[@]}"
    systemctl restart "${services[@]}" || { echo "The service did not start: journalctl -u vrhcab -n 50" >&2; exit 1; }
else
    # In an image that is being prepared the services start with its first boot.
    systemctl --quiet enable "${services[@]}"
fi

# The version before stays, to go back to: sudo ln -sfn OLD /opt/vrhcab/current && sudo systemctl restart vrhcab
for old in "$home"/versions/*; do
    if [ "$old" != "$version" ] && [ "$old" != "$previous" ]; then rm -rf "$old"; fi
done
say "Done. The page: http://$(hostname).local:8080  Settings: $settings  Check: sudo -u vrhcab vrhcab doctor --config $settings"
