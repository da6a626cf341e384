#!/bin/sh
# Installs the archive in a minimal Debian with Debian's Node 20, then with Node 22, 24 and 25 from
# npm, and runs a cell with each. Run by hand, as root: sh test/install/debian-root.sh ARCHIVE ROOT.
# If ROOT is missing, debootstrap creates it. Node 20 and npm are copied from this machine; Node 25
# needs libatomic1.
set -eu
archive=$1 root=$2
[ -d "$root" ] || debootstrap --variant=minbase --include=ca-certificates,libatomic1 bookworm "$root"
cp "$archive" "$root/root/svc-tui.tgz"
cp -L "$(command -v node)" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -r "$(npm root --location=global)/npm" "$root/usr/local/lib/node_modules/"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
[ -z "${NODE_EXTRA_CA_CERTS:-}" ] || cp -L "$NODE_EXTRA_CA_CERTS" "$root/root/ca.pem"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev" || mount --bind /dev "$root/dev"
trap 'umount "$root/proc" "$root/dev"' EXIT
cat > "$root/root/try.sh" <<'TRY'
set -eu
[ ! -e /root/ca.pem ] || export NODE_EXTRA_CA_CERTS=/root/ca.pem npm_config_cafile=/root/ca.pem
[ "$VERSION" = 20 ] || npm install --silent -g --prefix "/opt/node$VERSION" "node@$VERSION"
export PATH="/opt/svc$VERSION/bin:/opt/node$VERSION/bin:$PATH" HOME="/root/home$VERSION"
mkdir -p "$HOME"
npm install --silent -g --prefix "/opt/svc$VERSION" /root/svc-tui.tgz
svc-tui serve --port 0 --engine embedded --data "$HOME/data" > "$HOME/out" &
trap 'kill $!; wait $! || true' EXIT
left=100
until grep -q listening "$HOME/out"; do left=$((left - 1)); [ $left -gt 0 ]; sleep 0.2; done
SVC_BASE_URL=$(sed -n 's/^listening on //p' "$HOME/out") SVC_API_KEY=$(cat "$HOME/data/key")
export SVC_BASE_URL SVC_API_KEY
svc-tui server start welcome > /dev/null
until svc-tui servers | grep -q ' ready'; do left=$((left - 1)); [ $left -gt 0 ]; sleep 0.2; done
echo "Node $(node --version), $(svc-tui --version): $(svc-tui run welcome -c 'print(6 * 7)')"
TRY
for version in 20 22 24 25; do
	timeout 300 chroot "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 VERSION=$version \
		npm_config_registry="$(npm config get registry)" sh /root/try.sh
done
