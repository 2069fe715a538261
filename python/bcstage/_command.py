"""The command: its path, its process, and its exit codes."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import select
import signal
import subprocess
import sys
import sysconfig
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any

from bcstage._arguments import flags
from bcstage._messages import in_python

log = logging.getLogger("bcstage")


class Notice(UserWarning):
    """A warning of the command: the answer may differ from what is expected."""


class Error(RuntimeError):
    """A run that failed. ``str()`` is the command's message, with its hint."""

    def __init__(self, message: str, hint: str = "", code: int = 1):
        super().__init__(f"{message}\nhint: {hint}" if hint else message)
        self.message, self.hint, self.code = message, hint, code


class UsageError(Error, ValueError):
    """An option has a wrong value, or two contradict each other (exit code 2)."""


class InputError(Error, ValueError):
    """The edges are not a valid table, or are damaged or cut short (3)."""


class DeviceError(Error):
    """A required device is missing (4)."""


class MissingInputError(Error, FileNotFoundError):
    """An input is missing (5)."""


class StorageError(Error, OSError):
    """Storage is unreachable or silent: worth a retry (6)."""


class OutOfMemoryError(Error, MemoryError):
    """The graph needs more memory than allowed; refused before it is taken (7)."""


ERRORS = {2: UsageError, 3: InputError, 4: DeviceError, 5: MissingInputError, 6: StorageError, 7: OutOfMemoryError}

# Arguments that are ids, a table of ids, or its path.
SETS = ("vertices", "sources", "targets", "trips", "changes", "remove_vertices")

NAME = "bcstage.exe" if sys.platform == "win32" else "bcstage"

# Time for an interrupted command to clean up; it needs less than a second.
GRACE_SECONDS = 12
# Time for a caller's generator of edges to end after the command.
ABANDON_SECONDS = 0.3
# The thread that runs the generator.
FEEDER = "bcstage-edges"
# Time between two looks for Ctrl-C while Python waits for the command.
SIGNAL_MILLISECONDS = 200


def command_path() -> str:
    """The path of the command, where pip put it, which depends on pip's options."""
    here = os.path.dirname(os.path.abspath(__file__))
    folders = [sysconfig.get_path("scripts")]
    with contextlib.suppress(KeyError):
        folders.append(sysconfig.get_path("scripts", scheme=sysconfig.get_preferred_scheme("user")))
    folders.append(os.path.join(os.path.dirname(here), "bin"))  # pip install --target
    parts = here.split(os.sep)
    if "lib" in parts or "Lib" in parts:  # pip install --prefix
        at = max(i for i, part in enumerate(parts) if part in ("lib", "Lib"))
        folders.append(os.path.join(os.sep.join(parts[:at]), "Scripts" if sys.platform == "win32" else "bin"))
    override = os.environ.get("BCSTAGE_EXECUTABLE")
    for path in [override] if override else [os.path.join(folder, NAME) for folder in folders]:
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"the command {NAME} is in none of {folders}: install the wheel again" if not override
                            else f"BCSTAGE_EXECUTABLE: {override} is not a file")


def version() -> str:
    """The command's version, which is the package's: ``bcstage.__version__``."""
    text = subprocess.run([command_path(), "version"], capture_output=True, text=True, check=True).stdout
    return text.split("\n")[0].removeprefix("bcstage ")


class Run:
    """One process of the command, its messages, and the thread that feeds it, if any.

    ``options`` become flags; ``call`` is the call that they belong to, for messages. Tables of the
    caller are files in ``folder``. ``floats`` is the hint about floating-point ids.

    Use it as a context: after the block the process and the threads have ended, even
    without a wait.
    """

    def __init__(self, command: str, options: Mapping[str, Any], files: list[str], feed: Callable[[IO[bytes]], None] | None = None,
                 progress: Callable[[dict[str, Any]], None] | None = None, call: str = "", folder: str = "", floats: str = ""):
        self.args = [command_path(), command, *flags(**options), *files]
        if command != "report":  # which has no progress
            self.args += ["--log-format=json", "--progress=" + ("always" if progress else "never")]
        self.options, self.call, self.folder, self.floats = options, call or command, folder, floats
        self.feed, self.progress = feed, progress
        self.failure: dict[str, Any] = {}
        self.error: BaseException | None = None  # of the caller's stream, callback or filter of warnings
        self.process: subprocess.Popen[bytes]  # set when it is started
        self.started = False
        self.threads: list[threading.Thread] = []

    def __enter__(self) -> Run:
        try:
            # Its own session: Ctrl-C at a terminal reaches Python, which ends the command.
            group = 0
            if sys.platform == "win32":
                group = subprocess.CREATE_NEW_PROCESS_GROUP
            self.process = subprocess.Popen(self.args, stdin=subprocess.PIPE if self.feed else subprocess.DEVNULL,
                                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                            creationflags=group, start_new_session=sys.platform != "win32")
            self.started = True
            self._start(self._listen, "bcstage-messages")
            if self.feed:
                self._start(self._feed, FEEDER)
        except BaseException:  # an interrupt may already come here
            self._end()
            raise
        return self

    def _start(self, work: Callable[[], None], name: str) -> None:
        self.threads.append(threading.Thread(target=work, name=name, daemon=True))
        self.threads[-1].start()

    @property
    def stdout(self) -> IO[bytes]:
        """The command's output, once it begins to write, or ends."""
        assert self.process.stdout
        if sys.platform != "win32":
            # A signal that another thread receives, or that comes just before a read, does not end the
            # read: Ctrl-C would be lost. Python looks for signals after each of these short waits.
            ready = select.poll()
            ready.register(self.process.stdout, select.POLLIN)
            while not ready.poll(SIGNAL_MILLISECONDS):
                pass
        return self.process.stdout

    def _feed(self) -> None:
        assert self.feed and self.process.stdin
        try:
            with self.process.stdin as pipe:
                self.feed(pipe)
        except (BrokenPipeError, ValueError) if self.process.poll() is not None else BrokenPipeError:
            pass  # the command has ended, and says why
        except BaseException as error:  # raised by wait
            self.error = error
            self.process.kill()  # otherwise it would take the part for the whole

    def _listen(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:  # to its end, otherwise the command would wait for a reader
            try:
                self._hear(line)
            except BaseException as error:  # raised by wait
                if self.error is None:
                    self.error = error
                    self._interrupt()

    def _hear(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:  # errors of the command line come before its --log-format is read
            self._listen_to_text(line.decode(errors="replace").rstrip())
            return
        text, level = message.get("msg", ""), message.get("level")
        if level == "ERROR":
            self.failure = message
        elif level == "WARN":
            warnings.warn_explicit(self._in_python(text), Notice, "bcstage", 1)
        elif text == "progress":
            if self.progress and self.error is None:
                self.progress(message)
        else:
            log.info("%s", self._in_python(text))

    def _in_python(self, text: str, about: str = "") -> str:
        """A message of the command for the call: with arguments in place of flags, and without temporary files."""
        if self.feed:
            text = text.replace("standard input", "edges")
        if self.folder:
            text = re.sub(re.escape(self.folder + os.sep) + r"(\w+)\.arrows", r"\1", text)
        return in_python(text, self.options, self.call, about)

    def _listen_to_text(self, line: str) -> None:
        if line.startswith("bcstage: ") and not self.failure:
            self.failure = {"msg": line.removeprefix("bcstage: ")}
        elif line.startswith("hint: "):
            self.failure["hint"] = line.removeprefix("hint: ")
        else:
            log.info("%s", line)

    def wait(self) -> None:
        """Wait for success; a failure is an exception."""
        code = self.process.wait()
        self._join()
        if self.error is not None:
            raise self.error
        if code != 0:
            message, hint = self.failure.get("msg") or f"bcstage ended with exit code {code}", self.failure.get("hint", "")
            if self.floats and "ids of type float" in message:
                hint = self.floats
            for name in SETS:
                path = self.options.get(name)
                if code == 5 and path is not None and message.startswith(f"{path}: "):
                    message, hint = f"{name}: {message}", f"give ids as a list: {name}=[{path!r}]"
            raise ERRORS.get(code, Error)(self._in_python(message, hint), self._in_python(hint, message), code)

    def _join(self) -> None:
        """Wait for the threads after the command has ended.

        The reader of messages ends with the command. The writer of edges may be in the caller's
        generator, which nothing can end while it blocks: it is left, and ends when it writes.
        """
        for thread in self.threads:
            if thread.ident is not None:  # started
                thread.join(ABANDON_SECONDS if thread.name == FEEDER else None)

    def _interrupt(self) -> None:
        """End the command like Ctrl-C."""
        with contextlib.suppress(ProcessLookupError):
            if sys.platform == "win32":
                self.process.send_signal(signal.CTRL_BREAK_EVENT)
            else:
                self.process.send_signal(signal.SIGINT)

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        """End the command, its threads and pipes."""
        if not self.started:
            return
        if self.process.poll() is None:
            self._interrupt()
            if self.process.stdout:
                self.process.stdout.close()
            try:
                self.process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()


@contextlib.contextmanager
def shown(progress: bool | Callable[[dict[str, Any]], None] | None) -> Iterator[Callable[[dict[str, Any]], None] | None]:
    """The callback of a progress argument: the caller's, or a tqdm bar."""
    if progress is None or progress is False:
        yield None
        return
    if progress is not True:
        yield progress
        return
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress=True needs tqdm: pip install 'bcstage[progress]', or give a function") from error
    with tqdm(total=1.0, desc="bcstage", bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}{postfix}") as bar:
        def show(message: dict[str, Any]) -> None:
            bar.set_description(f"bcstage {message.get('stage', '')}", refresh=False)
            bar.n = message.get("share", 0.0)
            bar.set_postfix_str(f"{message.get('left_seconds', 0):.0f} s left" if message.get("left_seconds") else "", refresh=False)
            bar.refresh()
        yield show
        bar.n = 1.0
