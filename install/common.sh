# What both installers do, for install.sh and install-hub.sh; $home says where the program lies, $state where it keeps things.
# shellcheck shell=bash disable=SC2154

# The service runs the program as its own user, who could not where root's files are root's alone (077).
umask 022

say() { echo "== $*"; }
systemd_runs() { [ -d /run/systemd/system ]; }
get() { DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@"; }

# The installer's own argument: wants_apt says what it asks for.
choose() {
    apt=yes
    case "${1:-}" in
        "") ;;
        --no-apt) apt=no ;;
        *) echo "Unknown choice $1. There is --no-apt, or nothing." >&2; exit 1 ;;
    esac
    [ "$(id -u)" = 0 ] || { echo "Installing changes the system: run it with sudo." >&2; exit 1; }
}

wants_apt() { [ "$apt" = yes ]; }

# Debian packages without which nothing works.
packages() {
    say "Debian packages"
    apt-get -qq update || echo "The package lists could not be refreshed; going on with those that are here." >&2
    get "$@"
}

check_python() {
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Vrhcáb needs Python 3.11 or newer." >&2; exit 1; }
}

add_user() {
    getent passwd vrhcab >/dev/null || adduser --quiet --system --group --home "$state" --no-create-home vrhcab
    install -d -m 0750 -o root -g vrhcab /etc/vrhcab
    install -d -m 0750 -o vrhcab -g vrhcab "$state"
}

fail() { rm -rf "$version"; echo "The program could not be installed; what was here before is unchanged." >&2; exit 1; }

# A whole new environment beside the old one: the old one runs until the new one is known to start. $1: the extra, $2: what shows
# that it starts, further: for venv. Sets $version.
make_version() {
    local extra=$1 shows=$2
    shift 2
    version=$home/versions/$(date -u +%Y%m%d-%H%M%S)
    install -d -m 0755 "$home" "$home/versions"
    python3 -m venv "$@" "$version" || fail
    # Built in a copy: setuptools leaves files where it builds, which would get into the next version, and nobody but root could
    # build there again.
    install -d "$version/sources"
    cp -r "$project"/{pyproject.toml,README.md,controller,firmware,terms,vision,web} "$version/sources" || fail
    "$version/bin/python" -m pip install --quiet --disable-pip-version-check "$version/sources[$extra]" || fail
    rm -rf "$version/sources"
    "$(dirname "${BASH_SOURCE[0]}")/pi-camera.sh" "$version/bin/python"
    # shellcheck disable=SC2086 # words of a command
    "$version/bin/vrhcab" $shows >/dev/null || fail
}

# From now on the new one is the one that runs. Sets $previous.
take_version() {
    previous=$(readlink "$home/current" 2>/dev/null || true)
    ln -sfn "$version" "$home/current.new"
    mv -T "$home/current.new" "$home/current"
    install -d /usr/local/bin "$home/docs"
    cp "$project"/docs/*.md "$project"/docs/*.svg "$home/docs/"
}

# The version before stays, to go back to: sudo ln -sfn OLD HOME/current, and the service started again.
drop_old_versions() {
    local old
    for old in "$home"/versions/*; do
        if [ "$old" != "$version" ] && [ "$old" != "$previous" ]; then rm -rf "$old"; fi
    done
}
