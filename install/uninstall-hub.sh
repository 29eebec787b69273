#!/usr/bin/env bash
# Takes the hub and its services off this machine. Database, backups, passwords and settings stay, and so do Mosquitto and PostgreSQL.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "Uninstalling changes the system: run it with sudo." >&2; exit 1; }
for unit in vrhcab-hub.service vrhcab-hub-backup.timer vrhcab-hub-backup.service; do
    [ -e "/etc/systemd/system/$unit" ] || continue
    if [ -d /run/systemd/system ]; then systemctl stop "$unit" || true; fi
    systemctl --quiet disable "$unit" 2>/dev/null || true
    rm -f "/etc/systemd/system/$unit"
done
rm -f /etc/mosquitto/conf.d/vrhcab.conf /etc/systemd/system/mosquitto.service.d/vrhcab.conf /usr/local/bin/vrhcab-hub
rm -rf /opt/vrhcab-hub
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl restart mosquitto.service || true
fi
echo "The hub is gone. Its database is kept (vrhcab in PostgreSQL), backups in /var/lib/vrhcab/backups, settings in /etc/vrhcab."
echo "To delete the database: sudo -u postgres dropdb vrhcab"
