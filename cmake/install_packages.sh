#!/bin/sh
# install_packages.sh PACKAGE...: installs the Debian packages that are missing; without root, tells
# how. Does nothing where SKIP_DEPS is set, for those who have them from elsewhere.
set -eu

[ -z "${SKIP_DEPS:-}" ] || exit 0
if ! command -v dpkg-query > /dev/null; then
    echo "This is not Debian, nothing is installed; what is needed has these names there: $*"
    exit 0
fi

missing=
for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2> /dev/null | grep -qx installed ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ]; then
    echo "error: packages are missing; install them with the next line, then start again:" >&2
    echo "sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update
# shellcheck disable=SC2086  # one word a package
apt-get install -y --no-install-recommends $missing
