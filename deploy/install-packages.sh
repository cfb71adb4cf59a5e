#!/usr/bin/env bash
# Installs the Debian packages of the tools named as arguments, if the tools are missing:
#
#   deploy/install-packages.sh venv cc openssl chromium
#
# Without permission to install packages it prints the command to run, and fails.
set -euo pipefail

is_missing() {
    case $1 in
        venv) ! "${PYTHON:-python3}" -c 'import ensurepip, venv' 2>/dev/null ;;
        # Debian does not put its programs on the PATH.
        postgresql) ! command -v initdb >/dev/null && ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null ;;
        *) ! command -v "$1" >/dev/null ;;
    esac
}

packages_of() {
    case $1 in
        venv) echo "$(basename "${PYTHON:-python3}")-venv" ;;
        cc) echo gcc libc6-dev ;;
        *) echo "$1" ;;
    esac
}

tools=() packages=()
for tool in "$@"; do
    if is_missing "$tool"; then
        tools+=("$tool")
        packages+=($(packages_of "$tool"))
    fi
done
[[ ${#tools[@]} -gt 0 ]] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "Missing: ${tools[*]}. Install them with your package manager; the Debian packages are ${packages[*]}." >&2
    exit 1
fi

sudo=()
if [[ $(id -u) -ne 0 ]]; then
    if ! sudo --non-interactive true 2>/dev/null; then
        echo "Missing: ${tools[*]}. Run this command, then try again:" >&2
        echo "    sudo apt-get update && sudo apt-get install --yes --no-install-recommends ${packages[*]}" >&2
        exit 1
    fi
    sudo=(sudo)
fi

echo "==> installing ${packages[*]}"
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends "${packages[@]}"
