#!/usr/bin/env python3
"""Build the wheels: the command for every platform, with the package that runs it.

    python/wheels.py [--only TARGET,...|native] [--output dist]

A wheel is a zip file of a few known files; it needs no build backend. The command
is built by go build -trimpath -ldflags "-s -w" without cgo, so it runs on any
Linux: one wheel has the tags of glibc and of musl.

linux-amd64-opencl is the build for cores and devices. It needs glibc, and contains
an OpenCL loader for machines with a driver and no loader. Its tag names the glibc
that it needs; pip prefers the wheel of the newest glibc that fits.
"""
import argparse
import base64
import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.dirname(HERE)

# By name: GOOS, GOARCH and the tag of the wheel; None: the tag of its glibc.
OPENCL = "linux-amd64-opencl"
TARGETS = {
    OPENCL: ("linux", "amd64", None),
    "linux-amd64": ("linux", "amd64", "manylinux2014_x86_64.musllinux_1_1_x86_64"),
    "linux-arm64": ("linux", "arm64", "manylinux2014_aarch64.musllinux_1_1_aarch64"),
    "darwin-amd64": ("darwin", "amd64", "macosx_12_0_x86_64"),
    "darwin-arm64": ("darwin", "arm64", "macosx_12_0_arm64"),
    "windows-amd64": ("windows", "amd64", "win_amd64"),
}

METADATA = """\
Metadata-Version: 2.4
Name: bcstage
Version: {version}
Summary: Exact betweenness centrality of edge tables, on every core and OpenCL device
License-Expression: Apache-2.0
License-File: LICENSE
License-File: THIRD-PARTY.txt
Requires-Python: >=3.10
Requires-Dist: pyarrow>=15
Provides-Extra: networkx
Requires-Dist: networkx>=3.2; extra == "networkx"
Requires-Dist: numpy; extra == "networkx"
Provides-Extra: spark
Requires-Dist: pyspark>=4; extra == "spark"
Provides-Extra: progress
Requires-Dist: tqdm; extra == "progress"
Keywords: graph,betweenness,centrality,arrow,parquet,opencl
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

"""

ENTRY_POINTS = """\
[networkx.backends]
bcstage = bcstage.networkx:Backend

[networkx.backend_info]
bcstage = bcstage.networkx_info:get_info
"""


def version():
    """The command's version, in Python's form. (go run would not know the commit.)"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bcstage.exe")
        subprocess.run(["go", "build", "-trimpath", "-o", path, "./cli/bcstage"], cwd=TOP, check=True)
        shown = subprocess.run([path, "version"], capture_output=True, text=True, check=True).stdout
    return shown.split("\n")[0].removeprefix("bcstage ")


def build(target, folder):
    """Build the command for a target; returns its path."""
    goos, goarch, _ = TARGETS[target]
    path = os.path.join(folder, "bcstage.exe" if goos == "windows" else "bcstage")
    env, tags = dict(os.environ, GOOS=goos, GOARCH=goarch, CGO_ENABLED="0"), "" if target == OPENCL else "nodevices,"
    with open(os.path.join(TOP, ".ci", "tags")) as file:
        tags += file.read().strip()
    subprocess.run(["go", "build", "-trimpath", "-ldflags=-s -w", "-tags=" + tags, "-o", path, "./cli/bcstage"], cwd=TOP, env=env, check=True)
    return path


def native():
    """The target of this machine: with OpenCL if its loader is installed."""
    system = {"Linux": "linux", "Darwin": "darwin", "Windows": "windows"}.get(platform.system(), platform.system())
    architecture = {"x86_64": "amd64", "AMD64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    target = f"{system}-{architecture}"
    if target == "linux-amd64" and find_loader():
        return OPENCL
    return target


def find_loader():
    """Paths of this machine's OpenCL loader, ocl-icd, and its licence; None if it is missing."""
    licence = "/usr/share/doc/ocl-icd-libopencl1/copyright"
    if not os.path.exists(licence):
        return None
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    library = re.search(r"libOpenCL\.so\.1 \(.*x86-64.*=> (.+)", known)
    return (os.path.realpath(library[1]), licence) if library else None


def loader():
    return find_loader() or sys.exit(f"wheels.py: {OPENCL} needs the loader of the package ocl-icd-libopencl1, which is not installed")


def glibc(*binaries):
    """The tag of the newest glibc that the binaries need."""
    needed = (2, 17)
    for binary in binaries:
        symbols = subprocess.run(["objdump", "-T", binary], capture_output=True, text=True, check=True).stdout
        needed = max([needed, *(tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([\d.]+)", symbols))])
    return f"manylinux_{needed[0]}_{needed[1]}_x86_64"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def files(target, command, release):
    """The files of a wheel: name, content, mode."""
    package = os.path.join(HERE, "bcstage")
    for name in sorted(os.listdir(package)):
        if name.endswith((".py", ".pyi", ".typed")):
            yield f"bcstage/{name}", read(os.path.join(package, name)), 0o644
    yield f"bcstage-{release}.data/scripts/{os.path.basename(command)}", read(command), 0o755
    about = f"bcstage-{release}.dist-info"
    with open(os.path.join(HERE, "README.md")) as file:
        yield f"{about}/METADATA", (METADATA.format(version=release) + file.read()).encode(), 0o644
    if os.path.exists(os.path.join(package, "networkx.py")):
        yield f"{about}/entry_points.txt", ENTRY_POINTS.encode(), 0o644
    yield f"{about}/licenses/LICENSE", read(os.path.join(TOP, "LICENSE")), 0o644
    third_party = read(os.path.join(TOP, "build", "THIRD-PARTY.txt"))
    if target == OPENCL:
        library, licence = loader()
        yield f"bcstage-{release}.data/data/lib/bcstage/libOpenCL.so.1", read(library), 0o755
        third_party += b"\n" + b"=" * 80 + b"\nocl-icd: libOpenCL.so.1\n" + b"=" * 80 + b"\n\n" + read(licence)
    yield f"{about}/licenses/THIRD-PARTY.txt", third_party, 0o644


def wheel(target, release, output, command):
    """Write the wheel of a target; equal content gives an equal file."""
    tags = TARGETS[target][2] or glibc(command, loader()[0])
    about = f"bcstage-{release}.dist-info"
    path = os.path.join(output, f"bcstage-{release}-py3-none-{tags}.whl")
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, content, mode):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
            archive.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")

        for name, content, mode in files(target, command, release):
            add(name, content, mode)
        lines = [f"Tag: py3-none-{tag}\n" for tag in tags.split(".")]
        add(f"{about}/WHEEL", ("Wheel-Version: 1.0\nGenerator: bcstage\nRoot-Is-Purelib: false\n" + "".join(lines)).encode(), 0o644)
        add(f"{about}/RECORD", ("".join(record) + f"{about}/RECORD,,\n").encode(), 0o644)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(TARGETS), help="targets, by comma: native (of this machine), " + ", ".join(TARGETS))
    parser.add_argument("--output", default=os.path.join(TOP, "dist"))
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    release = version()
    subprocess.run(["make", "-s", "licences"], cwd=TOP, check=True)
    for target in options.only.split(","):
        target = native() if target == "native" else target
        if target not in TARGETS:
            sys.exit(f"wheels.py: no target {target!r}: want one of {', '.join(TARGETS)}")
        with tempfile.TemporaryDirectory() as folder:
            print(wheel(target, release, options.output, build(target, folder)))


if __name__ == "__main__":
    main()
