# A server whose certificate nobody vouches for gets no request, at the first attempt.
set -eu
# shellcheck source=/dev/null
. "$ASSAY_SRC/tests/cli/qwen.inc"
command -v openssl >where || { echo "openssl is not installed"; exit 77; }
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -keyout key.pem -out cert.pem 2>where
cat key.pem cert.pem >both.pem
serve python3 "$ASSAY_SRC/tests/cli/faulty-server.py" port both.pem
scheme=https step ok
fails network
is .attempts 1
grep -qi certificate err
curl -sk "https://127.0.0.1:$(cat port)/count/ok" | grep -qx 0
