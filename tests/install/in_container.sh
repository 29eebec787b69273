#!/usr/bin/env bash
# By hand, as root: installs into a throw-away Debian, boots it with systemd, stops the program dead, updates, uninstalls.
#   tests/install/in_container.sh FOLDER [bookworm|trixie]      needs debootstrap, systemd-container and about 1 GB; 4 minutes
# Where the container can't reach the package index: put wheels into the guest's wheels folder (root/wheels in FOLDER) first (pip download), they are used alone.
# shellcheck disable=SC2016  # what stands in single quotes is expanded inside the container
set -euo pipefail
cd "$(dirname "$0")/../.."
root=${1:?usage: in_container.sh FOLDER [bookworm|trixie]}/root
[ -x "$root/bin/bash" ] || debootstrap --variant=minbase --include=python3,python3-venv,systemd,udev,adduser "${2:-bookworm}" "$root"
rm -rf "$root/src" && mkdir -p "$root/src"
git ls-files -z controller firmware terms vision web docs install pyproject.toml README.md | tar --null -T - -c | tar -x -C "$root/src"

systemd-nspawn -D "$root" --register=no --keep-unit -b --console=pipe </dev/null >/dev/null 2>&1 &
container=$!
trap 'kill $container' EXIT
sleep 10
leader=$(pgrep -P "$container" | head -1)
offline=()
[ ! -d "$root/wheels" ] || offline=(PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels)
inside() { nsenter -t "$leader" -a env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "${offline[@]}" bash -ec "$1"; }
games() { inside 'stat -c %s /var/lib/vrhcab/journal.sqlite3'; }

inside 'mkdir -p /etc/vrhcab && printf "[camera]\nsource = \"simulator\"\n" > /etc/vrhcab/vrhcab.toml && chmod 0644 /etc/vrhcab/vrhcab.toml'
inside '/src/install/install.sh --no-apt && systemctl is-active vrhcab && systemd-analyze verify vrhcab.service'
sleep 40
inside 'mkdir -p /run/systemd/system/vrhcab.service.d && printf "[Service]\nWatchdogSec=10\n" > /run/systemd/system/vrhcab.service.d/t.conf'
inside 'systemctl daemon-reload && systemctl restart vrhcab && sleep 5 && kill -STOP $(systemctl show vrhcab -p MainPID --value)'
sleep 30
inside '[ $(systemctl show vrhcab -p NRestarts --value) -ge 1 ] && journalctl -u vrhcab | grep "Going on with the match" | tail -1'
inside '/src/install/install.sh --no-apt && sleep 3 && systemctl is-active vrhcab && grep -q simulator /etc/vrhcab/vrhcab.toml'
before=$(games)
inside '/opt/vrhcab/uninstall.sh && [ ! -e /opt/vrhcab ]'
[ "$(games)" -ge "$before" ] && echo "Installed, restarted by the watchdog, updated and uninstalled; the games are kept."
