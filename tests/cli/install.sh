# make install with DESTDIR, moved elsewhere, still finds its parts; uninstall leaves nothing.
set -eu
make -s -C "$ASSAY_SRC" install DESTDIR="$PWD/stage" PREFIX=/opt/assay
mv stage/opt/assay moved
cp "$ASSAY_SRC"/kernels/softmax_rows/baseline.cc k.cc
printf '{"kind":"candidate","v":1,"id":"k","task":"softmax_rows","source":"k.cc"}\n' >in
env -i HOME="$PWD" PATH="$PWD/moved/bin:/usr/bin:/bin" sh -c 'kernel-lint <in | perturb-check' >out || { cat out; exit 1; }
jq -e '.status == "ok"' out >/dev/null
env -i PATH="$PWD/moved/bin:/usr/bin:/bin" kernel-loop --help >/dev/null
mkdir -p stage/opt && mv moved stage/opt/assay
make -s -C "$ASSAY_SRC" uninstall DESTDIR="$PWD/stage" PREFIX=/opt/assay
left=$(find stage ! -type d)
[ -z "$left" ] || { echo "uninstall left: $left"; exit 1; }
