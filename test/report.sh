# SPDX-License-Identifier: MIT
# Shared by tests in shell: a scratch folder, and TAP of what its log says.  Sourced, not run.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count=0 failed=0

report() { # report STATUS CLAIM
  count=$((count + 1))
  if [ "$1" -eq 0 ]; then
    echo "ok $count - $2"
  else
    echo "not ok $count - $2"
    sed 's/^/# /' "$scratch/log"
    failed=1
  fi
}
