# Starts a private PostgreSQL 15 with PostGIS for the scripts beside it, which
# read this file with ".". Nothing listens on the network: the server has a
# socket in a temporary folder, which goes away with it.
#
#   install_postgis   installs the Debian packages that are missing
#   start_postgis     starts the server and sets PGHOST, PGUSER and PGDATABASE
#   stop_postgis      stops it and removes its folder
#
# PostgreSQL refuses to run as root, so root runs it as the user postgres.

postgres_bin=/usr/lib/postgresql/15/bin

install_postgis() {
	missing=
	for package in postgresql-15-postgis-3 "$@"; do
		dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	as_root=
	[ "$(id -u)" -eq 0 ] || as_root=sudo
	$as_root apt-get update -qq
	# shellcheck disable=SC2086 # a list of packages
	DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

as_postgres() {
	if [ "$(id -u)" -eq 0 ]; then
		runuser -u postgres -- "$@"
	else
		"$@"
	fi
}

start_postgis() {
	postgis_dir=$(mktemp -d)
	if [ "$(id -u)" -eq 0 ]; then
		chown postgres "$postgis_dir"
	fi
	chmod 755 "$postgis_dir"
	PGHOST=$postgis_dir
	PGUSER=bench
	PGDATABASE=bench
	export PGHOST PGUSER PGDATABASE
	(
		cd "$postgis_dir"
		as_postgres "$postgres_bin/initdb" -D "$postgis_dir/data" -U bench --auth trust --no-locale -E UTF8 >/dev/null
		# Everything fits into memory and nothing need survive a crash. No query
		# waits for the disk or is compiled, and each runs in one process, as others do.
		{
			echo "listen_addresses = ''"
			echo "unix_socket_directories = '$postgis_dir'"
			echo "shared_buffers = 512MB"
			echo "work_mem = 64MB"
			for switch in fsync full_page_writes synchronous_commit autovacuum jit; do
				echo "$switch = off"
			done
			echo "max_parallel_workers_per_gather = 0"
		} | as_postgres tee -a "$postgis_dir/data/postgresql.conf" >/dev/null
		as_postgres "$postgres_bin/pg_ctl" -D "$postgis_dir/data" -l "$postgis_dir/log" -w start >/dev/null
	)
	createdb bench
	psql -Xqc 'CREATE EXTENSION postgis'
}

stop_postgis() {
	[ -n "${postgis_dir:-}" ] || return 0
	(cd "$postgis_dir" && as_postgres "$postgres_bin/pg_ctl" -D "$postgis_dir/data" -m fast -w stop >/dev/null) || true
	rm -rf "$postgis_dir"
}
