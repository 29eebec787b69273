#!/usr/bin/env bash
# Takes the program and its service off this machine. Games and settings stay; --purge deletes them too, after asking.
set -euo pipefail
purge=no
case "${1:-}" in
    "") ;;
    --purge) purge=yes ;;
    *) echo "Unknown choice $1. There is --purge, or nothing." >&2; exit 1 ;;
esac
[ "$(id -u)" = 0 ] || { echo "Uninstalling changes the system: run it with sudo." >&2; exit 1; }
if [ "$purge" = yes ] && [ -e /etc/systemd/system/vrhcab-hub.service ]; then
    echo "A hub is on this machine too, and its settings and backups lie in the same folders: nothing was changed. Without --purge the hub stays as it is; sudo install/uninstall-hub.sh takes it off first." >&2
    exit 1
fi

for service in vrhcab-name.service vrhcab.service; do
    [ -e "/etc/systemd/system/$service" ] || continue
    if [ -d /run/systemd/system ]; then systemctl stop "$service" || true; fi
    systemctl --quiet disable "$service" || true
    rm -f "/etc/systemd/system/$service"
done
rm -f /etc/udev/rules.d/70-vrhcab.rules /etc/avahi/services/vrhcab.service /usr/local/bin/vrhcab
rm -rf /opt/vrhcab
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi

if [ "$purge" = yes ]; then
    # Where nobody can be asked, nothing is deleted.
    read -r -p "Delete all of /var/lib/vrhcab (every game, and what a hub has left there) and the settings in /etc/vrhcab? Type: delete  " answer || answer=
    if [ "$answer" = delete ]; then
        rm -rf /var/lib/vrhcab /etc/vrhcab
        if getent passwd vrhcab >/dev/null; then deluser --quiet --system vrhcab; fi
        echo "Everything is gone."
        exit 0
    fi
    echo "Nothing was deleted."
fi
echo "The program is gone. Games are kept in /var/lib/vrhcab, settings in /etc/vrhcab."
