"""Runs what may hang or crash in processes of its own, which go on with the next job where one ends."""
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SECONDS = 5


@dataclass
class Outcome:
    # What the error says; empty: all went well; None: the process ended.
    said: str | None
    # What was printed meanwhile.
    printed: str
    # What ended the process: SIGALRM if the job took too long.
    end: str = ""


def run(jobs, **environment):
    """What came of each job: see use_files.py."""
    said = []
    while len(said) < len(jobs):
        rest = jobs[len(said):]
        done = subprocess.run([sys.executable, "-B", str(HERE / "use_files.py"), str(SECONDS)], text=True,
                              input="".join(json.dumps(job) + "\n" for job in rest), capture_output=True,
                              env={**os.environ, **environment})
        lines = done.stdout.splitlines()
        said += [Outcome(**json.loads(line)) for line in lines[1::2]]
        if done.returncode == 0:
            assert len(lines) == 2 * len(rest)
        else:
            assert len(lines) % 2 == 1, f"the process ended before its first job: {done.stderr}"
            restore(jobs[len(said)])
            said.append(Outcome(None, done.stderr, signal.Signals(-done.returncode).name if done.returncode < 0
                                else str(done.returncode)))
    return said


def restore(job):
    """Takes away what a process that was killed left behind."""
    name = job.get("pipe", job["path"])
    if os.path.lexists(name):
        if "pipe" in job or os.path.lexists(name + "~"):
            os.unlink(name)
        if os.path.lexists(name + "~"):
            os.rename(name + "~", name)
