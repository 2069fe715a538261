"""Memory of distances by the number of sources: python3 memory.py BCSTAGE EDGES [ENGINE FLAGS...]"""
import gzip, json, os, subprocess, sys, tempfile, time

binary, path, flags = sys.argv[1], sys.argv[2], sys.argv[3:]
edges = (line.split()[:2] for line in gzip.open(path, "rt") if line[0] not in "#%")
ids = list(dict.fromkeys(x for e in edges for x in e))
folder = tempfile.mkdtemp()
print(f"{os.path.basename(path)}, 2 threads, Arrow to a pipe", *flags)
print(" sources   rows, about   GB written   seconds   peak memory, MB")
for count in 1, 16, 64, 256, 1024, 4096:
    with open(folder + "/sources.csv", "w") as f:
        f.write("id\n" + "\n".join(ids[i * len(ids) // count] for i in range(count)) + "\n")
    began = time.perf_counter()
    pipe = subprocess.Popen([binary, "distances", path, "--sources", folder + "/sources.csv", "--threads", "2", "--format", "arrow", "--stats", folder + "/stats.json", "-q", *flags], stdout=subprocess.PIPE)
    size = 0
    while chunk := pipe.stdout.read(1 << 20):
        size += len(chunk)
    assert pipe.wait() == 0
    peak = json.load(open(folder + "/stats.json"))["peak_memory_bytes"]
    print(f"{count:8} {size // 24:12} {size / 1e9:12.3f} {time.perf_counter() - began:9.2f} {peak / 1e6:18.0f}", flush=True)
