# Keeps what a benchmark prints in bench/results, from where the documentation takes
# its figures. The scripts beside it read this file with ".".
#
#   keep NAME COMMAND...   runs the command and writes its output to results/NAME.md
#   keep_built [FLAG...]   builds the command and the benchmark of the folder, and keeps
#                          what it prints with -program COMMAND and the flags
#
# An output is kept only if the command succeeds.

results=$(cd "$here/../results" && pwd)

keep_built() {
	name=$(basename "$here")
	cd "$here/../.."
	built=$(mktemp -d)
	trap 'rm -rf "$built"' EXIT
	go build -o "$built/postgeo" ./cmd/postgeo
	go -C bench build -o "$built/$name" "./$name"
	keep "$name" "$built/$name" -program "$built/postgeo" "$@"
}

keep() {
	name=$1
	shift
	{
		echo "<!-- Written by sh bench/$(basename "$here")/run.sh on $(date -u +%Y-%m-%d): $(go version | cut -d' ' -f3), $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1). -->"
		"$@"
	} >"$results/$name.new" || {
		rm -f "$results/$name.new"
		return 1
	}
	mv "$results/$name.new" "$results/$name.md"
	cat "$results/$name.md"
}
