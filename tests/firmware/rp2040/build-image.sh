#!/usr/bin/env bash
# Builds micropython.bin, MicroPython for the RP2040, from Debian's source packages alone (a Debian 12 host, trixie's sources).
# The result is the same bit for bit every time; micropython.bin.sha256 is its sum. Needs root for the ARM compiler, 3 GB of disk.
# usage: build-image.sh FOLDER
set -euo pipefail
work=$(realpath -m "${1:?usage: build-image.sh FOLDER}")
mkdir -p "$work"/{lists/partial,cache/archives/partial,deb,sdk,target,bin}
cd "$work"

dpkg -s gcc-arm-none-eabi libstdc++-arm-none-eabi-newlib cmake >/dev/null 2>&1 ||
    apt-get install -y --no-install-recommends gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib cmake make gcc

# trixie's packages, fetched beside the system's own, from the mirror that this machine uses.
mirror=$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/debian.sources)
key='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
printf 'deb %s %s trixie main\ndeb-src %s %s trixie main\n' "$key" "$mirror" "$key" "$mirror" >sources.list
trixie=(-q -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists"
    -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
tools=(pico-sdk-source tinyusb-source pioasm picotool)
libraries=(libc6 libstdc++6 libgcc-s1 libusb-1.0-0 libudev1 libmbedtls21 libmbedcrypto16 libmbedx509-7)
apt-get "${trixie[@]}" update
(cd deb && apt-get "${trixie[@]}" download "${tools[@]}" "${libraries[@]}" && apt-get "${trixie[@]}" source --download-only micropython)
for package in "${tools[@]}"; do dpkg-deb -x deb/"${package}"_*.deb sdk; done
for package in "${libraries[@]}"; do dpkg-deb -x deb/"${package}"_*.deb target; done
# trixie's tools run on an older system with trixie's own loader and libraries.
for tool in pioasm picotool; do
    mv sdk/usr/bin/$tool sdk/usr/bin/$tool.real
    printf '#!/bin/sh\nexec %s --library-path %s %s "$@"\n' "$work/target/usr/lib64/ld-linux-x86-64.so.2" \
        "$work/target/usr/lib/x86_64-linux-gnu" "$work/sdk/usr/bin/$tool.real" >sdk/usr/bin/$tool
    chmod +x sdk/usr/bin/$tool
done

tar xf deb/micropython_*.orig.tar.xz
source=$(echo "$work"/micropython-1.*)
port=$source/ports/rp2
# Debian strips the submodules; its own packages of the same libraries take their place.
rm -rf "$source"/lib/{tinyusb,pico-sdk}
cp -r sdk/usr/src/tinyusb "$source/lib/tinyusb"
ln -s "$work/sdk/usr/src/pico-sdk" "$source/lib/pico-sdk"
touch "$source/lib/micropython-lib/README.md"
# The Pico's own board without TLS, which nothing here uses.
mkdir -p "$port/boards/BGSIM"
cp "$port"/boards/RPI_PICO/mpconfigboard.* "$port/boards/BGSIM/"
# shellcheck disable=SC2016 # CMake and the manifest expand these names
{
    printf 'freeze("$(PORT_DIR)/modules")\ninclude("$(MPY_DIR)/extmod/asyncio")\n' >"$port/boards/BGSIM/manifest.py"
    echo 'set(MICROPY_FROZEN_MANIFEST ${CMAKE_CURRENT_LIST_DIR}/manifest.py)' >>"$port/boards/BGSIM/mpconfigboard.cmake"
    echo '#define MICROPY_PY_SSL (0)' >>"$port/boards/BGSIM/mpconfigboard.h"
    sed -i 's/set(MICROPY_SSL_MBEDTLS ON)/set(MICROPY_SSL_MBEDTLS OFF)/; /mbedtls_port.c/d
        /target_link_libraries(${MICROPY_TARGET} micropy_lib_mbedtls)/d' "$port/CMakeLists.txt"
    sed -i 's/^#define MICROPY_SSL_MBEDTLS .*/#define MICROPY_SSL_MBEDTLS (0)/
        s/^#define MICROPY_PY_CRYPTOLIB .*/#define MICROPY_PY_CRYPTOLIB (0)/
        s/^#define MICROPY_PY_HASHLIB_SHA1 .*/#define MICROPY_PY_HASHLIB_SHA1 (0)/' "$port/mpconfigport.h"
}
export SOURCE_DATE_EPOCH=1745000000
make -s -C "$source/mpy-cross" >/dev/null
cmake -S "$port" -B "$port/build" -DPICO_BUILD_DOCS=0 -DMICROPY_BOARD=BGSIM -DMICROPY_BOARD_DIR="$port/boards/BGSIM" \
    -Dpicotool_DIR="$work/sdk/usr/lib/cmake/picotool" -Dpioasm_DIR="$work/sdk/usr/lib/cmake/pioasm" >/dev/null 2>&1
make -s -C "$port/build" >/dev/null 2>&1
cp "$port/build/firmware.bin" "$work/bin/micropython.bin"
sha256sum "$work/bin/micropython.bin"
