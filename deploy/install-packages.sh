#!/usr/bin/env bash
# Installs the Debian packages of the tools named as arguments, if the tools are missing:
#
#   deploy/install-packages.sh venv cc openssl tmux
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
        promtool) echo prometheus ;;
        venv) echo "$(basename "${PYTHON:-python3}")-venv" ;;
        cc) echo gcc libc6-dev ;;
        *) echo "$1" ;;
    esac
}

# These packages would start a server, so only the program is taken out of them.
is_extracted() {
    [[ $1 == promtool || $1 == nginx || $1 == caddy ]]
}

tools=() packages=() extracted=()
for tool in "$@"; do
    if is_missing "$tool"; then
        tools+=("$tool")
        if is_extracted "$tool"; then
            extracted+=("$tool")
        else
            packages+=($(packages_of "$tool"))
        fi
    fi
done
[[ ${#tools[@]} -gt 0 ]] || exit 0

if ! command -v apt-get >/dev/null; then
    for tool in "${extracted[@]}"; do packages+=($(packages_of "$tool")); done
    echo "Missing: ${tools[*]}. Install them with your package manager; the Debian packages are ${packages[*]}." >&2
    exit 1
fi

sudo=()
if [[ $(id -u) -ne 0 ]]; then
    if ! sudo --non-interactive true 2>/dev/null; then
        echo "Missing: ${tools[*]}. Run this command, then try again:" >&2
        if [[ ${#packages[@]} -gt 0 ]]; then
            echo "    sudo apt-get update && sudo apt-get install --yes --no-install-recommends ${packages[*]}" >&2
        else
            echo "    sudo $0 ${tools[*]}" >&2
        fi
        exit 1
    fi
    sudo=(sudo)
fi

echo "==> installing ${packages[*]} ${extracted[*]}"
"${sudo[@]}" apt-get update -qq
if [[ ${#packages[@]} -gt 0 ]]; then
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends "${packages[@]}"
fi
for tool in "${extracted[@]}"; do
    folder=$(mktemp --directory)
    # apt-get warns that its own user cannot write there, which does not matter.
    (cd "$folder" && apt-get download -qq "$(packages_of "$tool")" 2>/dev/null)
    dpkg-deb --extract "$folder"/*.deb "$folder"
    "${sudo[@]}" install "$folder"/usr/*bin/"$tool" /usr/local/bin/
    rm -r "$folder"
done
