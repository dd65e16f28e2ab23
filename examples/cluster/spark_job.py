"""The job on Spark: `mapInArrow`, with worker processes of Python on this machine."""
import contextlib
import functools
import os
import sys
from pathlib import Path

import point_job
from pyspark.errors import PythonException
from pyspark.sql import SparkSession

JOB = str(Path(__file__).with_name("point_job.py"))
# The columns of point_job.RESULT in Spark's words.
RESULT = ("id bigint, x double, y double, operation string, accuracy_m double, verdict string, cell double, "
          "area_m2 double, buffer binary, status string, message string")


@contextlib.contextmanager
def started(workers, master="local[{},4]"):
    """Spark on this machine. The 4 is how often a task may fail: without it, one killed worker ends the job.

    With many machines, only the master changes, and a task may fail 4 times by default.
    """
    # The Python of the workers, by default the first python3 of the path, and the address, which is seen from here only.
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    session = (SparkSession.builder.master(master.format(workers)).appName("alidade")
               .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
               # Errors reach the driver as exceptions; their other copies in the log are long.
               .config("spark.log.level", "FATAL")
               .config("spark.sql.execution.arrow.maxRecordsPerBatch", point_job.BATCH_ROWS)
               # A task for each file of points, however small it is.
               .config("spark.sql.files.openCostInBytes", "128MB").getOrCreate())
    # Workers import the job from this file.
    session.sparkContext.addPyFile(JOB)
    try:
        yield session
    finally:
        session.stop()


def run(session, job, points, results):
    """Runs the job and returns how many tasks failed and were run again."""
    one_batch = functools.partial(point_job.run_batch, job)
    frame = session.read.parquet(str(points)).mapInArrow(lambda batches: map(one_batch, batches), RESULT)
    try:
        frame.write.mode("overwrite").parquet(str(results))
    except PythonException as error:
        # The traceback of the worker, whose last line is the exception.
        raise RuntimeError(str(error).rstrip().rpartition("\n")[2]) from error
    tracker = session.sparkContext.statusTracker()
    stages = {stage for number in tracker.getJobIdsForGroup() for stage in tracker.getJobInfo(number).stageIds}
    return sum(tracker.getStageInfo(stage).numFailedTasks for stage in stages)
