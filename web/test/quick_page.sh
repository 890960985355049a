#!/bin/sh
# SPDX-License-Identifier: MIT
# The quick tests of the page, as TAP, where `make web` has built it and there is a Chromium.
set -eu
cd "$(dirname "$0")/../.."
skip() {
  echo "1..0 # SKIP $1"
  exit 0
}
command -v node >/dev/null 2>&1 || skip "needs nodejs"
[ -f web/dist/index.html ] && [ -d web/node_modules/playwright-core ] || skip "needs \`make web\`"
[ -x /usr/bin/chromium ] || [ -x /usr/bin/chromium-browser ] || [ -x /usr/bin/google-chrome ] || skip "needs chromium"
exec node web/test/test_page.mjs quick
