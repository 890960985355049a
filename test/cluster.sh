#!/bin/sh
# SPDX-License-Identifier: MIT
# A cluster of two nodes on this machine, in one folder: munge and Slurm of its own, without systemd.
#
# usage: cluster.sh FOLDER start | kill-node NAME | start-node NAME | stop
# Afterwards SLURM_CONF=FOLDER/slurm.conf makes every command of Slurm speak to it.  Wants root: munge has a user of its own.
set -eu
folder=$1 word=$2
export SLURM_CONF=$folder/slurm.conf
host=$(hostname -s)

start_node() {
  setsid slurmd -D -N "$1" >"$folder/slurmd.$1.out" 2>&1 &
}
end() { # end PID-FILE SIGNAL: that process, if it is still there
  [ -f "$1" ] && kill "-$2" "$(cat "$1")" 2>/dev/null || true
}

configure() {
  mkdir -p "$folder/munge" "$folder/state" "$folder/spool.n1" "$folder/spool.n2"
  chmod 711 "$folder"
  dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 2>/dev/null
  chown -R munge "$folder/munge"
  chmod 400 "$folder/munge/key"
  chmod 711 "$folder/munge"
  port=$((16000 + $$ % 4000 * 4))
  cat >"$folder/slurm.conf" <<END
ClusterName=jawari
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=10
SlurmctldPort=$port
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdSpoolDir=$folder/spool.%n
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmdLogFile=$folder/slurmd.%n.log
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=60 State=UP
END
}

case $word in
start)
  configure
  runuser -u munge -- munged --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
    --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
  setsid slurmctld -D >"$folder/slurmctld.out" 2>&1 &
  sleep 1
  start_node n1
  start_node n2
  for _ in $(seq 60); do
    [ "$(sinfo --noheader --Node --states=idle --format=%N 2>/dev/null | sort -u | wc -l)" -eq 2 ] && exit 0
    sleep 0.5
  done
  echo "Slurm did not come up" >&2
  tail -n 5 "$folder"/*.log "$folder"/*.out >&2
  exit 1
  ;;
start-node) start_node "$3" ;;
kill-node) end "$folder/slurmd.$3.pid" KILL ;;
stop)
  scancel --user=root 2>/dev/null || true
  for pid in slurmd.n1.pid slurmd.n2.pid slurmctld.pid munge/pid; do end "$folder/$pid" TERM; done
  ;;
esac
