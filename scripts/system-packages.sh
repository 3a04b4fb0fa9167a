#!/bin/sh
# Sees to the Debian packages that the wall needs, and with `tests` as argument those of the browser test as well.
# Installs what is missing where it may (root, or sudo without a password); otherwise says what to install,
# which with CI=true is an error, since nothing may be skipped there.
set -eu
wanted=${1:-wall}

has_libseccomp() {
    PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null | grep -q 'libseccomp\.so\.2'
}

missing_packages() {
    command -v bwrap >/dev/null 2>&1 || printf ' bubblewrap'
    has_libseccomp || printf ' libseccomp2'
    [ "$wanted" = tests ] || return 0
    command -v chromium >/dev/null 2>&1 || printf ' chromium'
    [ -n "$(find /usr/share/fonts -name '*.[to]tf' 2>/dev/null | head -n 1)" ] || printf ' fonts-dejavu-core'
}

give_up() {
    echo "Not installed:$missing. $1" >&2
    if [ "${CI:-}" = true ]; then
        exit 1
    fi
    echo "Tests that need them are skipped; without bubblewrap and libseccomp2 nothing is graded." >&2
    exit 0
}

missing=$(missing_packages)
[ -n "$missing" ] || exit 0
command -v apt-get >/dev/null 2>&1 || give_up "Install them with your system's package manager (only Linux has bubblewrap)."
if [ "$(id -u)" = 0 ]; then
    as_root=
elif sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    give_up "As root: apt-get install$missing"
fi

echo "Installing:$missing"
{
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
        # shellcheck disable=SC2086  # one argument per package
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
} || give_up "apt-get could not install them; see above."

missing=$(missing_packages)
[ -z "$missing" ] || give_up "apt-get ran, and they are still not found."
