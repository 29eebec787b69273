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

# shellcheck source=SCRIPTDIR/common.sh
. "$here/common.sh"
choose "$@"

if wants_apt; then
    packages adduser python3 python3-venv
    # One by one: Debian lacks what only Raspberry Pi OS has, and the referee runs without each of them.
    for package in python3-lgpio python3-picamera2 avahi-daemon avahi-utils; do
        get "$package" >/dev/null 2>&1 || echo "$package is not to be had here; going on without it."
    done
fi
check_python

say "User and groups"
add_user
for group in video gpio dialout; do
    if getent group "$group" >/dev/null; then usermod --append --groups "$group" vrhcab; fi
done

say "Program"
make_version mqtt --version --system-site-packages

say "Settings and games"
[ -e "$settings" ] || install -m 0640 -o root -g vrhcab "$here/vrhcab.toml" "$settings"

say "Service"
take_version
ln -sfn "$home/current/bin/vrhcab" /usr/local/bin/vrhcab
install -D -m 0644 "$here/vrhcab.service" /etc/systemd/system/vrhcab.service
install -D -m 0644 "$here/70-vrhcab.rules" /etc/udev/rules.d/70-vrhcab.rules
install -m 0755 "$here/uninstall.sh" "$home/uninstall.sh"
read -r scheme port < <("$home/current/bin/python" - "$settings" 2>/dev/null <<'END' || echo http 8080
import pathlib, sys
from controller.config import load_config
web = load_config(pathlib.Path(sys.argv[1])).web
print("https" if web.certificate else "http", web.port)
END
)
services=(vrhcab.service)
if command -v avahi-publish >/dev/null; then
    install -D -m 0644 "$here/vrhcab.avahi" /etc/avahi/services/vrhcab.service
    sed -i "s/_http\._tcp/_$scheme._tcp/; s/>8080</>$port</" /etc/avahi/services/vrhcab.service
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

drop_old_versions
say "Done. The page: $scheme://$(hostname).local:$port  Settings: $settings  Check: sudo -u vrhcab vrhcab doctor --config $settings"
