"""A PostgreSQL of a benchmark's own, and what a server needs to run on one."""

import contextlib
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile

import processes

PROGRAMS = pathlib.Path("/usr/lib/postgresql")


def programs() -> pathlib.Path:
    """The folder of PostgreSQL's programs, of the newest version."""
    versions = sorted(PROGRAMS.glob("*/bin/pgbench"), key=lambda path: int(path.parts[-3]))
    if not versions:
        raise processes.BenchError("PostgreSQL is not installed: install the package postgresql")
    return versions[-1].parent


class Database:
    """A PostgreSQL by its URL."""

    def __init__(self, url: str):
        self.url = url

    def ready(self) -> bool:
        command = [programs() / "pg_isready", "-q", "-d", self.url]
        return subprocess.run(command, check=False).returncode == 0

    def run(self, sql: str):
        command = [programs() / "psql", "-q", "-v", "ON_ERROR_STOP=1", self.url]
        subprocess.run(command, input=sql, text=True, check=True)

    def number(self, sql: str) -> int:
        """The only value of a query's only row."""
        command = [programs() / "psql", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", self.url,
                   "-c", sql]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        return int(done.stdout)


def as_postgres() -> list[str]:
    """What a command begins with that must not run as root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]


@contextlib.contextmanager
def postgres(disk: pathlib.Path):
    """A PostgreSQL with an empty database, its data on the disk of this folder."""
    socket = tempfile.mkdtemp(prefix="tesela-pg-", dir="/tmp")
    data = tempfile.mkdtemp(prefix="bench-pg-", dir=disk)
    try:
        if os.geteuid() == 0:
            for folder in (socket, data):
                shutil.chown(folder, pwd.getpwnam("postgres").pw_uid)
        make = [*as_postgres(), programs() / "initdb", "-D", data, "-U", "postgres", "-A", "trust",
                "-E", "UTF8"]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL, cwd=socket)
        command = [*as_postgres(), programs() / "postgres", "-D", data, "-k", socket,
                   "-c", "listen_addresses="]
        database = Database(f"postgres://postgres@/postgres?host={socket}")
        with processes.running([str(part) for part in command], database.ready,
                               subprocess.DEVNULL):
            yield database
    finally:
        shutil.rmtree(data)
        shutil.rmtree(socket)


@contextlib.contextmanager
def server_options(database: str, build: pathlib.Path):
    """The options of a server on the database of this URL, or on a PostgreSQL that is started for
    it where the URL is `own`. Its keys are new: the database is one that no server has used."""
    with contextlib.ExitStack() as stack:
        if database == "own":
            database = stack.enter_context(postgres(build.resolve())).url
        keys = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-keys-")))
        options = ["--database", database]
        for key in ("token", "daily"):
            (keys / key).write_bytes(os.urandom(32))
            (keys / key).chmod(0o600)
            options += [f"--{key}-secret-file", str(keys / key)]
        yield options
