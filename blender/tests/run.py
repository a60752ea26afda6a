"""Starts the tests: run.py readers, or run.py blender. Exit code 77: what they need is missing."""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77


def readers():
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: this Python has no numpy")
        return SKIPPED
    return subprocess.call([sys.executable, os.path.join(HERE, "readers_test.py")])


def leave_this_python():
    """Debian's Blender looks for its Python's library beside the first python3 of the PATH."""
    own = os.path.join(sys.prefix, "bin")
    if own not in ("/usr/bin", "/bin"):
        paths = os.environ.get("PATH", "").split(os.pathsep)
        os.environ["PATH"] = os.pathsep.join(p for p in paths if os.path.normpath(p) != own)


def in_blender(names):
    leave_this_python()
    program = os.environ.get("BLENDER") or shutil.which("blender")
    if not program:
        print("skipped: no blender")
        return SKIPPED
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    plain = [program, "-b", "--factory-startup"]
    check = ["--python-exit-code", "3", "--python-expr", "import numpy"]
    has_numpy = subprocess.run(plain + check, **quiet)
    if has_numpy.returncode:
        print("skipped: Blender does not start, or its Python has no numpy")
        return SKIPPED
    script = os.path.join(HERE, "in_blender.py")
    return subprocess.call([*plain, "--python", script, "--", *names])


if __name__ == "__main__":
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.exit(readers() if sys.argv[1:2] == ["readers"] else in_blender(sys.argv[2:]))
