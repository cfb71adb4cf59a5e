#!/usr/bin/env bash
# Pins the images of others in Dockerfile and docker-compose.yml to the digests that their tags have now:
#
#   deploy/pin-images.sh
#
# A tag can be moved to another image, a digest cannot. Needs Docker with Buildx, and access to the registries. All
# digests are known before the first file is changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

files=(Dockerfile docker-compose.yml)
edits=()
for image in $(sed -nE 's/^(FROM| *image:) ([^ @]+).*/\2/p' "${files[@]}" | grep -v '^parlour:' | sort -u); do
    digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
    if [[ ! $digest =~ ^sha256:[0-9a-f]{64}$ ]]; then
        echo "There is no digest of $image: $digest" >&2
        exit 1
    fi
    echo "$image@$digest"
    edits+=(-e "s#^(FROM|.*image:) $image(@[^ ]+)?#\1 $image@$digest#")
done

sed -E -i "${edits[@]}" "${files[@]}"
