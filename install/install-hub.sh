#!/usr/bin/env bash
# Installs or updates a hub as services of this machine: broker, database, hub, a backup every night. What is there stays as it is.
#   sudo install/install-hub.sh            with the Debian packages it needs
#   sudo install/install-hub.sh --no-apt   without asking apt for anything
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
home=/opt/vrhcab-hub
state=/var/lib/vrhcab
settings=/etc/vrhcab/hub.toml
broker=/etc/mosquitto

# shellcheck source=SCRIPTDIR/common.sh
. "$here/common.sh"
choose "$@"

if wants_apt; then packages adduser python3 python3-venv mosquitto postgresql postgresql-client; fi
check_python

say "User"
add_user
install -d -m 0750 -o vrhcab -g vrhcab "$state/backups"

say "Program"
make_version hub "hub --help"
take_version
install -D -m 0755 "$here/vrhcab-hub" /usr/local/bin/vrhcab-hub

say "Database"
as_postgres() { runuser -u postgres -- "$@"; }
if systemd_runs; then systemctl start postgresql.service; fi
as_postgres psql -qtAc "select 1" >/dev/null || { echo "PostgreSQL does not answer: start it (sudo systemctl start postgresql), then run this again." >&2; exit 1; }
# Where the machine's language is kept in another encoding, its order of letters can't be had in this one.
make_database() { as_postgres createdb -O vrhcab -E UTF8 -T template0 "$@" vrhcab; }
[ "$(as_postgres psql -tAc "select 1 from pg_roles where rolname = 'vrhcab'")" = 1 ] || as_postgres createuser vrhcab
[ "$(as_postgres psql -tAc "select 1 from pg_database where datname = 'vrhcab'")" = 1 ] || make_database 2>/dev/null || make_database -l C.UTF-8

say "Certificate"
# Made again it is renewed, by the same authority: the boards need not be told anew.
XDG_STATE_HOME=$(dirname "$state") HOME=$state runuser -u vrhcab -- "$home/current/bin/vrhcab" certificate >/dev/null
install -m 0640 -o root -g mosquitto "$state/vrhcab.pem" "$broker/hub.pem"
install -m 0644 "$state/vrhcab-authority.crt" /etc/vrhcab/hub.crt

say "Broker"
# Mosquitto's plugin keeps who may speak, and the hub tells it who comes and goes. In an earlier version a file of passwords did:
# whoever is in that keeps its password, so that no board notices. The file itself is kept, to go back to.
plugin=$(find /usr/lib -name mosquitto_dynamic_security.so 2>/dev/null | head -n 1)
[ -n "$plugin" ] || { echo "Mosquitto's dynamic security plugin is not here: Debian's mosquitto package has it." >&2; exit 1; }
rights=/var/lib/mosquitto/vrhcab-rights.json
old=$broker/vrhcab.passwords
password=
if [ ! -e "$rights" ]; then
    if [ -s "$old" ] && [ -e "$settings" ]; then
        "$home/current/bin/vrhcab" hub --config "$settings" rights "$rights" --moved "$old"
        mv "$old" "$old.moved"
        rm -f "$broker/vrhcab.rights"
    else
        password=$("$home/current/bin/vrhcab" hub rights "$rights" | sed -n 's/^password = "\(.*\)"$/\1/p')
    fi
fi
sed "s|@PLUGIN@|$plugin|" "$here/vrhcab-hub.mosquitto" > "$broker/conf.d/vrhcab.conf"

say "Settings"
if [ -n "$password" ] && [ -e "$settings" ]; then
    # The broker's file was lost: the hub gets a new password, everything else stays as it was set; the boards join again.
    sed -i "s|^password = .*|password = \"$password\"|" "$settings"
elif [ ! -e "$settings" ]; then
    [ -n "$password" ] || { echo "$rights is there, but $settings is not: move the first away to begin anew." >&2; exit 1; }
    install -m 0640 -o root -g vrhcab /dev/null "$settings.new"
    sed "s|@PASSWORD@|$password|" "$here/hub.toml" > "$settings.new"
    mv -T "$settings.new" "$settings"
fi

say "Services"
for unit in vrhcab-hub.service vrhcab-hub-backup.service vrhcab-hub-backup.timer; do
    install -D -m 0644 "$here/$unit" "/etc/systemd/system/$unit"
done
install -D -m 0644 "$here/vrhcab-hub-files.conf" /etc/systemd/system/mosquitto.service.d/vrhcab.conf
if systemd_runs; then systemctl daemon-reload; fi
systemctl --quiet enable mosquitto.service postgresql.service vrhcab-hub.service vrhcab-hub-backup.timer
if systemd_runs; then
    systemctl restart mosquitto.service
    systemctl restart vrhcab-hub.service vrhcab-hub-backup.timer \
        || { echo "The service did not start: journalctl -u vrhcab-hub -n 50" >&2; exit 1; }
fi

drop_old_versions
say "Done. The wall: https://$(hostname).local:8443  Settings: $settings"
echo "A person:  sudo vrhcab-hub add-person NAME --role director"
echo "A board:   https://$(hostname).local:8443/hall, \"Add a board\"; or sudo vrhcab-hub add-board board-1"
echo "Backups:   $state/backups, every night; back with: sudo systemctl stop vrhcab-hub && sudo -u vrhcab pg_restore --clean --if-exists -d vrhcab FILE"
