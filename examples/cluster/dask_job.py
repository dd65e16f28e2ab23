"""The job on Dask: a task for each file of points, on worker processes of this machine."""
import contextlib
from pathlib import Path

import distributed
import point_job

JOB = str(Path(__file__).with_name("point_job.py"))


@contextlib.contextmanager
def started(workers):
    """A cluster on this machine. With many machines, only this changes: `distributed.Client("tcp://scheduler:8786")`."""
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            # Workers import the job from this file, also those that are started later.
            client.upload_file(JOB, load=False)
            yield client


def run(client, job, points, results):
    """Runs the job and returns how many tasks had to be run again because their worker died."""
    parts = sorted(points.glob("*.parquet"))
    targets = [results / part.name for part in parts]
    tasks = client.map(point_job.run_part, [job] * len(parts), parts, targets, pure=False)
    client.gather(tasks)
    return client.run_on_scheduler(lambda keys, dask_scheduler: sum(dask_scheduler.tasks[key].suspicious for key in keys),
                                   [task.key for task in tasks])
