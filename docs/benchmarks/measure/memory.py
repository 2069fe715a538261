"""Peak memory of real processes, over columns, formats and limits, as a Markdown table.

    measure memory [BCSTAGE]

Needs pyarrow. Each input has about 120 MB of text in one column; every process is a child
whose peak wait4 tells. This process stays small: what a child reports begins with the
memory of its parent. Exits with 1 if a peak passes 1.25 times the limit and 32 MiB.
"""
import os
import shutil
import subprocess
import sys
import tempfile

FORMATS = ("parquet", "arrow", "csv")
LIMITS = (64, 100, 400)  # MiB
COLUMNS = {  # options, with T for the table and E for its plain edges
    "ids": ["T", "--ids", "string"],
    "`--by`": ["T", "--by", "g"],
    "`--weight`": ["T", "--weight", "w"],
    "`--vertices`": ["E", "--vertices", "T", "--ids", "string"],
    "`--keep`": ["E", "--vertices", "T", "--keep", "name"],
    "`--sources`": ["E", "--sources", "T"],
    "`--targets` of zeros": ["E", "--targets", "T"],
}


def make(folder):
    """Writes every table in every format: in a process of its own, since it takes memory."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet
    import random

    random.seed(28)
    for shape, rows, length in (("long", 160, 800_000), ("many", 100_000, 1300)):
        digits = "".join(random.choices("0123456789", k=length + rows))
        texts = [f"v{row:09d}{digits[row:row + length]}" for row in range(rows)]
        numbers, next_ones = list(range(rows)), list(range(1, rows + 1))
        edges = {"src": numbers, "dst": next_ones}
        tables = {
            "E": edges,
            "ids": {"src": texts[:-1], "dst": texts[1:]},
            "by": {**edges, "g": texts},
            "weight": {**edges, "w": ["1." + t[10:] for t in texts]},
            "vertices": {"id": texts},
            "keep": {"id": numbers, "name": texts},
            "sources": {"id": texts},
            "targets": {"id": pa.nulls(30_000_000, pa.int64()).fill_null(0)},
        }
        for name, columns in tables.items():
            table, path = pa.table(columns), os.path.join(folder, f"{shape}-{name}.")
            pa.parquet.write_table(table, path + "parquet", compression="zstd", use_dictionary=name == "targets")
            with pa.ipc.new_file(path + "arrow", table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as out:
                out.write_table(table)
            pa.csv.write_csv(table, path + "csv", pa.csv.WriteOptions(quoting_style="none"))


def run(command, folder):
    """The exit code and the peak in MiB."""
    log = os.path.join(folder, "stderr")
    quiet = [(os.POSIX_SPAWN_OPEN, 2, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
    child = os.posix_spawn(command[0], command, os.environ, file_actions=quiet)
    _, status, used = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), used.ru_maxrss // 1024


def main(arguments):
    bcstage = shutil.which(arguments[0] if arguments else "bcstage")
    over = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, __file__, folder], check=True)
        print("| column | text |", " | ".join(f"{f}, {limit} MiB" for limit in LIMITS for f in FORMATS), "|")
        print("|---" * (2 + len(LIMITS) * len(FORMATS)) + "|")
        for shape, text in (("long", "160 × 800 kB"), ("many", "100 000 × 1.3 kB")):
            for column, options in COLUMNS.items():
                name, cells = column.replace("`", "").replace("--", "").split()[0], []
                if name == "targets" and shape == "many":
                    continue
                for limit in LIMITS:
                    for form in FORMATS:
                        files = {key: os.path.join(folder, f"{shape}-{of}.{form}") for key, of in (("T", name), ("E", "E"))}
                        args = [files.get(option, option) for option in options]
                        code, peak = run([bcstage, *args, "--memory", f"{limit}M", "-o", os.path.join(folder, "out.csv"), "--engine", "cpu", "-q"], folder)
                        over += peak > 1.25 * limit + 32
                        cells.append(f"{peak}{' refused' if code == 7 else '' if code in (0, 3) else f' exit {code}'}")
                print("|", column, "|", "3·10⁷ × 0" if name == "targets" else text, "|", " | ".join(cells), "|", flush=True)
    return over > 0


if __name__ == "__main__":  # the tables
    make(sys.argv[1])
