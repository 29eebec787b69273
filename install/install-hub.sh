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
umask 022
broker=/etc/mosquitto

apt=yes
case "${1:-}" in
    "") ;;
    --no-apt) apt=no ;;
    *) echo "Unknown choice $1. There is --no-apt, or nothing." >&2; exit 1 ;;
esac
[ "$(id -u)" = 0 ] || { echo "Installing changes the system: run it with sudo." >&2; exit 1; }
say() { echo "== $*"; }

if [ "$apt" = yes ]; then
    say "Debian packages"
    apt-get -qq update || echo "The package lists could not be refreshed; going on with those that are here." >&2
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
        adduser python3 python3-venv mosquitto postgresql postgresql-client
fi

say "User"
getent passwd vrhcab >/dev/null || adduser --quiet --system --group --home "$state" --no-create-home vrhcab
install -d -m 0750 -o root -g vrhcab /etc/vrhcab
install -d -m 0750 -o vrhcab -g vrhcab "$state" "$state/backups"

say "Program"
# A whole new environment beside the old one: the old one runs until the new one is known to start.
version=$home/versions/$(date -u +%Y%m%d-%H%M%S)
mkdir -p "$home/versions"
fail() { rm -rf "$version"; echo "The program could not be installed; what was here before is unchanged." >&2; exit 1; }
python3 -m venv "$version" || fail
"$version/bin/python" -m pip install --quiet --disable-pip-version-check "${project}[hub]" || fail
"$version/bin/vrhcab" hub --help >/dev/null || fail
previous=$(readlink "$home/current" 2>/dev/null || true)
ln -sfn "$version" "$home/current.new"
mv -T "$home/current.new" "$home/current"
install -D -m 0755 "$here/vrhcab-hub" /usr/local/bin/vrhcab-hub
install -d "$home/docs"
cp "$project"/docs/*.md "$home/docs/"

say "Database"
as_postgres() { runuser -u postgres -- "$@"; }
[ "$(as_postgres psql -tAc "select 1 from pg_roles where rolname = 'vrhcab'")" = 1 ] || as_postgres createuser vrhcab
[ "$(as_postgres psql -tAc "select 1 from pg_database where datname = 'vrhcab'")" = 1 ] || as_postgres createdb -O vrhcab vrhcab

say "Certificate"
# Made again it is renewed, by the same authority: the boards need not be told anew.
XDG_STATE_HOME=$(dirname "$state") HOME=$state runuser -u vrhcab -- "$home/current/bin/vrhcab" certificate >/dev/null
install -m 0640 -o root -g mosquitto "$state/vrhcab.pem" "$broker/hub.pem"
install -m 0644 "$state/vrhcab-authority.crt" /etc/vrhcab/hub.crt

say "Broker"
# Mosquitto reads them again as its own user, so they are its group's before anything is in them.
for file in "$broker/vrhcab.passwords" "$broker/vrhcab.rights"; do
    [ -e "$file" ] || install -m 0640 -o root -g mosquitto /dev/null "$file"
done
install -m 0644 "$here/vrhcab-hub.mosquitto" "$broker/conf.d/vrhcab.conf"

say "Settings"
if [ ! -e "$settings" ]; then
    password=$("$home/current/bin/vrhcab" hub add-board hub --again 2>/dev/null | sed -n 's/^password = "\(.*\)"$/\1/p')
    install -m 0640 -o root -g vrhcab /dev/null "$settings.new"
    sed "s|@PASSWORD@|$password|" "$here/hub.toml" > "$settings.new"
    mv -T "$settings.new" "$settings"
fi

say "Services"
for unit in vrhcab-hub.service vrhcab-hub-backup.service vrhcab-hub-backup.timer; do
    install -D -m 0644 "$here/$unit" "/etc/systemd/system/$unit"
done
install -D -m 0644 "$here/vrhcab-hub-files.conf" /etc/systemd/system/mosquitto.service.d/vrhcab.conf
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
systemctl --quiet enable mosquitto.service postgresql.service vrhcab-hub.service vrhcab-hub-backup.timer
if [ -d /run/systemd/system ]; then
    systemctl restart mosquitto.service
    systemctl restart vrhcab-hub.service vrhcab-hub-backup.timer \
        || { echo "The service did not start: journalctl -u vrhcab-hub -n 50" >&2; exit 1; }
fi

# The version before stays, to go back to: sudo ln -sfn OLD /opt/vrhcab-hub/current && sudo systemctl restart vrhcab-hub
for old in "$home"/versions/*; do
    if [ "$old" != "$version" ] && [ "$old" != "$previous" ]; then rm -rf "$old"; fi
done
say "Done. The wall: https://$(hostname).local:8443  Settings: $settings"
echo "A person:  sudo vrhcab-hub add-person NAME --role director"
echo "A board:   sudo vrhcab-hub add-board board-1 --address $(hostname).local   and copy /etc/vrhcab/hub.crt to it"
echo "Backups:   $state/backups, every night; back with: sudo systemctl stop vrhcab-hub && sudo -u vrhcab pg_restore --clean --if-exists -d vrhcab FILE"
